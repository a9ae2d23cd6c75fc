import { isObject, objectsIn } from '../request/checks.ts';

type Fields = Record<string, unknown>;

/** Returns all cache breakpoints of a request. */
export function readCacheBreakpoints(body: Fields): Fields[] {
  const contents = objectsIn(body.messages).flatMap(({ content }) => objectsIn(content));
  const nested = contents.flatMap(({ content }) => objectsIn(content));
  return [body, ...objectsIn(body.system), ...objectsIn(body.tools), ...contents, ...nested]
    .map((holder) => holder.cache_control)
    .filter(isObject);
}
