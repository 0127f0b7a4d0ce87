// Configurations that tests of sessions share.

public enum Configurations {
  /// A filter that is heard: its cutoff is in the middle of the spectrum.
  public static func filter(name: String = "filter", connections: String = "") -> String {
    """
    [client]
    name = "\(name)"

    [[unit]]
    id = "lowpass"
    component = "filter"
    preset = "Prominent"
    parameters = { cutoff = 900.0 }

    \(connections)
    """
  }

  public static func connection(from source: String, to destination: String) -> String {
    "[[connect]]\nfrom = \"\(source)\"\nto = \"\(destination)\"\n"
  }
}
