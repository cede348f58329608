import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

function filesBelow(place) {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/**
 * When the youngest file below some places was changed, in milliseconds; 0 when there is none.
 *
 * @param {string[]} places files and folders, from the top of the repository
 * @param {(file: string) => boolean} [counts] which files count
 */
export function newest(places, counts = () => true) {
  const files = places.flatMap((place) => {
    const full = path.join(root, place);
    const stat = statSync(full, { throwIfNoEntry: false });
    return stat?.isDirectory() ? filesBelow(full) : stat ? [full] : [];
  });
  return Math.max(0, ...files.filter(counts).map((file) => statSync(file).mtimeMs));
}

/** Whether a product is missing, or older than what it is made from. */
export function isStale(product, places, counts) {
  return newest([product]) < newest(places, counts) || newest([product]) === 0;
}
