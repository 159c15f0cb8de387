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
            effects += carry(steps, at: moment)
            tellHolder(members)
        }
        return effects
    }

    /// The place of a waiting run among those of its group; 1 = next.
    func groupPosition(of record: RunRecord) -> Int? {
        guard let group = buttons[record.button]?.rules.group, let members = groups[group] else { return nil }
        let waiting = members.flatMap { id in
            buttons[id].map { machine in machine.waiting.map { machine.runs[$0] } } ?? []
        }
        guard let own = waiting.first(where: { $0.id == record.run }) else { return nil }
        return waiting.filter { $0.arrival <= own.arrival }.count
    }

    /// The member whose run is first in line, if it may start.
    private func nextToStart(_ members: [ItemID]) -> ItemID? {
        let waiting = members.compactMap { id in buttons[id]?.firstArrival.map { (id, $0) } }
        guard let first = waiting.min(by: { $0.1 < $1.1 })?.0 else { return nil }
        return buttons[first]?.canStartFirst ?? false ? first : nil
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
