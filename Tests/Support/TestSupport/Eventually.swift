/// Waits until `condition` holds, looking again and again, for at most `limit`. False: it never did.
public func eventually(
    within limit: Duration = .seconds(100), isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
