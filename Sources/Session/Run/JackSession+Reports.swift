// Reports of a running session: notices of units, and counts.

import Platform
import SessionModel
import UnitModel

extension JackSession {
  /// Logs the notices of units, and the counts since the last report.
  func reportCounts() {
    reportNews()
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    let counts =
      host.map { SessionCounts($0.statistics.counts, units: units) }
      ?? SessionCounts(units: units)
    for line in counts.news(since: reported) { log.warning("\(line)") }
    reported = counts
  }

  func reportNews() {
    for node in plan.graph.nodes {
      for news in (node.unit as? any ReportingUnit)?.takeNews() ?? [] {
        report(news, of: node.id)
      }
    }
  }

  private func report(_ news: UnitNotice, of id: String) {
    switch news.kind {
    case .late(let frames):
      let rate = host?.serverSampleRate ?? 48000
      let seconds = Double(frames) / Double(rate)
      log.notice("\(id): \(news.text) (\(seconds.text(decimals: 2)) s)")
    case .done: log.log(level: newsLevel, "\(id): \(news.text)")
    case .failed: log.error("\(id): \(news.text)")
    }
  }
}
