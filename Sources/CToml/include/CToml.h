// A TOML document as a flat list of nodes that keep their source positions, for Swift to read.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node is. Dates and times are recognised but carry no value: no configuration uses them.
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
/// A table's or array's members follow it in document order; `subtreeCount` counts them and all
/// that is inside them, so that `index + 1 + subtreeCount` is the next sibling.
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

/// Why a text is no TOML document. `message` is terminated and cut to fit.
struct CTomlError {
  char message[256];
  uint32_t line, column;
};

typedef struct CTomlDocument CTomlDocument;

/// Parses `length` bytes, of any content. Returns null and fills `error` if they are no TOML
/// document or nest deeper than any configuration does.
CTomlDocument *_Nullable ctoml_parse(
    const char *_Nonnull bytes, size_t length, struct CTomlError *_Nonnull error);

/// The nodes, root first; valid until the document is freed.
const struct CTomlNode *_Nonnull ctoml_nodes(
    const CTomlDocument *_Nonnull document, size_t *_Nonnull count);

void ctoml_free(CTomlDocument *_Nullable document);

#ifdef __cplusplus
}
#endif
