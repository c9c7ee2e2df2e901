// libxml2's text reader for Swift.
//
// The library's headers pull in the system's ICU, which clashes with Foundation in one file. The version header is read
// first, its ICU switch is taken back, and only then come the headers that would act on it.
#ifndef OBJECT_TRANSFER_CLIBXML2_SHIM_H
#define OBJECT_TRANSFER_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

#endif
