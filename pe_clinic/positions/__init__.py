"""Position ids, seen from outside: left padding, packed documents, a cache, and the three axes of images and video."""
