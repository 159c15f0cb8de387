// Preloaded into the server by test_load.py: counts the system calls that send to a socket, the 101 answers left out,
// in a file that the test reads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic long *counter;

__attribute__((constructor)) static void openCounter(void) {
    int fd = open(getenv("COUNT_SENDS"), O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *counter)) abort();
    counter = mmap(0, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
}

static void count(int fd, const void *data, size_t size) {
    struct stat status;
    if (fstat(fd, &status) || !S_ISSOCK(status.st_mode)) return;
    if (size > 12 && !memcmp(data, "HTTP/1.1 101", 12)) return;
    atomic_fetch_add(counter, 1);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t send(int fd, const void *data, size_t size, int flags) {
    count(fd, data, size);
    return NEXT(send)(fd, data, size, flags);
}
ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    count(fd, data, size);
    return NEXT(sendto)(fd, data, size, flags, to, length);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    count(fd, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
    return NEXT(sendmsg)(fd, message, flags);
}
ssize_t write(int fd, const void *data, size_t size) {
    count(fd, data, size);
    return NEXT(write)(fd, data, size);
}
ssize_t writev(int fd, const struct iovec *parts, int number) {
    count(fd, parts[0].iov_base, parts[0].iov_len);
    return NEXT(writev)(fd, parts, number);
}
