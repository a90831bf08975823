public import BitpalModel

/// The question that the requests of the current task ask.
///
/// It travels with the task, so that no transport has to hand it on; providers set it, the recorder reads it.
public enum RecordingQuery {
  /// Nil outside of a question.
  @TaskLocal public static var current: ProviderQuery?
}
