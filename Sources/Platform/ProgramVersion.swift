// The version of the programs.

/// The version of the programs and the libraries, such as "0.2.0".
package let programVersion = "0.2.0-dev"
