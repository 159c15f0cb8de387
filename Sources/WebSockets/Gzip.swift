internal import CZlib

enum Gzip {
    /// `nil`: it would not save a tenth.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        // 15 bits of window, and 16 for the gzip wrapper (zlib.h); without a time, so that it is reproducible.
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let started = unsafe deflateInit2_(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        guard started == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        let status = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        output.removeLast(output.count - Int(unsafe stream.total_out))
        return output.count * 10 <= bytes.count * 9 ? output : nil
    }
}
