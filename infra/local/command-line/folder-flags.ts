import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What is wrong with the folders that flags name, a sentence each. Nothing is made yet. */
export function faultsOfFolders(folders: Readonly<Record<string, string>>): string[] {
  return Object.entries(folders).flatMap(([flag, folder]) => {
    const fault = faultOfFolder(resolve(folder));
    return fault === null ? [] : [`--${flag}: ${fault}`];
  });
}

/** A folder that is missing is made later: what counts is the nearest one above it. */
function faultOfFolder(folder: string): string | null {
  const existing = statsOf(folder);
  if (existing === null) return faultOfFolder(dirname(folder));
  if (!existing.isDirectory()) return `"${folder}" is a file, not a folder.`;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `"${folder}" cannot be written.`;
  }
}

/** `null` where there is nothing, or nothing that can be looked at: the folder above says why. */
function statsOf(folder: string): Stats | null {
  try {
    return statSync(folder);
  } catch {
    return null;
  }
}
