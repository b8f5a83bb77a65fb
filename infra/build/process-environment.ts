/** What the process of every function is told: the places in an error are those of the source. */
export const processEnvironment = { NODE_OPTIONS: '--enable-source-maps' };

/**
 * What that of `collect` is told, whose objects live as long as a request, a few megabytes at once. Without a bound on
 * young objects, and on the old ones half of the function's memory, Node lets them pile up, and a worker takes twice as
 * much memory for a thousand deliveries as for a hundred. With one arena for all threads (mallopt(3)), what compiling
 * Node's HTTP parser took is given back; otherwise some 14 MB of it stay, or do not, by chance.
 */
export const processEnvironmentOfCollect = {
  NODE_OPTIONS: `${processEnvironment.NODE_OPTIONS} --max-semi-space-size=4 --max-old-space-size=512`,
  MALLOC_ARENA_MAX: '1',
};
