import { isObject, type JsonObject } from '../json.ts';

/** An object of a body that may describe the pages of its list, and the path of names to it, each followed by a dot. */
export interface PagingObject {
  path: string;
  said: JsonObject;
}

/** Objects in which services describe the pages of a list, by `plainName`. */
const names: ReadonlySet<string> = new Set([
  'links',
  'meta',
  'metadata',
  'pagination',
  'paging',
  'page',
  'pageinfo',
  'cursor',
  'cursors',
]);
/** As deep as `meta.pagination.links`. */
const deepest = 3;

/** The body, and the objects for paging in it and in each other. A body that is no object has none. */
export function findPagingObjects(body: unknown, path = '', depth = 0): PagingObject[] {
  if (!isObject(body)) return [];
  const inner = Object.entries(body).flatMap(([name, value]) =>
    depth < deepest && isObject(value) && names.has(plainName(name))
      ? findPagingObjects(value, `${path}${name}.`, depth + 1)
      : [],
  );
  return [{ path, said: body }, ...inner];
}

/** A name without case, `_` and `-`: `total_count`, `totalCount` and `TotalCount` are one, `_links` is `links`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Whether a value is more than nothing: neither null, false or zero, nor a text of one of these, nor empty. */
export function saysSomething(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(saysSomething);
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string') return !['', '0', 'false', 'null'].includes(value.trim().toLowerCase());
  return Boolean(value);
}
