/*
 * XML documents as trees:
 *
 *     node        label        children
 *     element     <name>       its attributes, by the order of the bytes of their names; then its elements and texts
 *     attribute   name=        its value
 *     value       "text"       none
 *     text        "text"       none; with one blank for each run of blanks, and none at its ends
 *
 * Texts of blanks, comments, processing instructions and the document type are left out. Documents are well-formed, but
 * a name may have any character beyond ASCII. A document type must not declare anything: the only entities are those
 * that XML has.
 */
#ifndef AKIN_TREES_XML_H
#define AKIN_TREES_XML_H

#include "trees/builder.h"

/* Reads a document. Errors: AKIN_E_INPUT (the fault says where), and those of the builder. */
akin_status akin_tree_xml_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                               akin_error *error);

#endif
