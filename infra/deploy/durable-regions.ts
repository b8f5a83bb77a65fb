import list from './durable-regions.json' with { type: 'json' };

/**
 * What is to be said of a region before a deployment: nothing where it is on the list of regions that are known to have
 * durable functions. The list is shorter than AWS's own, which has no address to be read from.
 */
export function regionWarning(region: string): string | null {
  if (Object.hasOwn(list.regions, region)) return null;
  return [
    `${region} is not on our list of regions with durable functions (of ${list.asOf}, not complete).`,
    `See whether AWS lists it: ${list.source}`,
    'Without durable functions there, the deployment fails at the function "run" and is rolled back.',
  ].join('\n');
}
