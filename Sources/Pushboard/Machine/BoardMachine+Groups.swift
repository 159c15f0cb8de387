/// At most one button of a group is busy (I13).
extension BoardMachine {
    /// Tells the members of the groups that an event has touched who holds the group, and starts whose turn it is.
    mutating func settleGroups(at moment: Moment) -> [Effect] {
        guard !groups.isEmpty else { return [] }
        let names = Set(touched.compactMap { buttons[$0]?.rules.group })
        return names.sorted().flatMap { settle(groups[$0] ?? [], at: moment) }
    }

    private mutating func settle(_ members: [ItemID], at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        tellHolder(members)
        // One at a time: who starts holds the group against the others.
        while let next = nextToStart(members) {
            let steps = update(next) { $0.startFirst(at: moment) }
            guard !steps.isEmpty else { break }
            effects += carry(steps, at: moment)
            tellHolder(members)
        }
        return effects
    }

    /// The member whose waiting run came first, of those that may start.
    private func nextToStart(_ members: [ItemID]) -> ItemID? {
        let waiting = members.compactMap { id in buttons[id]?.firstArrival.map { (id, $0) } }
        guard let first = waiting.min(by: { $0.1 < $1.1 })?.0, let machine = buttons[first] else { return nil }
        return machine.groupHolder == nil && !machine.occupiesGroup ? first : nil
    }

    private mutating func tellHolder(_ members: [ItemID]) {
        let holder = members.first { buttons[$0]?.occupiesGroup == true }
        let described = holder.flatMap { id in buttons[id].map { $0.asHolder(id) } }
        for member in members {
            let told = member == holder ? nil : described
            guard buttons[member]?.groupHolder != told else { continue }
            update(member) { $0.setGroupHolder(told) }
        }
    }
}
