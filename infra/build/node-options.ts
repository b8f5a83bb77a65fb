/** What Node is told in every function: the places in an error are those of the source. */
export const nodeOptions = '--enable-source-maps';

/**
 * What it is told in `collect`, whose objects live as long as a request, a few megabytes at once: without a bound on young
 * objects, and on the old ones half of the function's memory, it lets them pile up, and a worker takes twice as much
 * memory for a thousand deliveries as for a hundred.
 */
export const nodeOptionsOfCollect = `${nodeOptions} --max-semi-space-size=4 --max-old-space-size=512`;
