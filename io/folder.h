/* The output folder of a run. */
#ifndef AN_IO_FOLDER_H
#define AN_IO_FOLDER_H

/* Makes a folder and the folders above it where they are missing, and tries out that files can be
 * made in it. AN_INPUT, naming the folder that refuses and why: a name too long for the files that
 * a run makes, a parent that may not be written to, a file in the way. */
int an_folder_make(const char *path);

#endif
