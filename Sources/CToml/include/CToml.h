// A TOML document as a flat list of nodes with source positions, for Swift.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of nodes. Dates and times are recognised but have no value: no configuration uses them.
enum CTomlKind {
  CTomlTable,
  CTomlArray,
  CTomlString,
  CTomlInteger,
  CTomlFloat,
  CTomlBoolean,
  CTomlDate,
};

/// One node. Lines and columns count from 1; columns count Unicode code points. 0 means unknown.
///
/// The members of a table or array follow it in document order. `subtreeCount` is the number of all
/// nodes inside it, so that `index + 1 + subtreeCount` is the next sibling.
struct CTomlNode {
  enum CTomlKind kind;
  uint32_t line, column;
  uint32_t keyLine, keyColumn;
  uint32_t subtreeCount;
  /// The key in the parent table, UTF-8, not terminated; null for the root and members of arrays.
  const char *_Nullable key;
  size_t keyLength;
  /// The text of a string, UTF-8, not terminated; may hold NUL.
  const char *_Nullable text;
  size_t textLength;
  int64_t integer;
  double number;
  int boolean;
};

/// An error of parsing. `message` is terminated, and truncated if too long.
struct CTomlError {
  char message[256];
  uint32_t line, column;
};

typedef struct CTomlDocument CTomlDocument;

/// Parses `length` bytes, of any content. Returns null and fills `error` if they are not a TOML
/// document, or are nested more deeply than any configuration.
CTomlDocument *_Nullable ctoml_parse(
    const char *_Nonnull bytes, size_t length, struct CTomlError *_Nonnull error);

/// Returns the nodes, root first; valid until the document is freed.
const struct CTomlNode *_Nonnull ctoml_nodes(
    const CTomlDocument *_Nonnull document, size_t *_Nonnull count);

void ctoml_free(CTomlDocument *_Nullable document);

#ifdef __cplusplus
}
#endif
