import type { CallerSide, EncodedRequest } from '../protocol.ts';

/** Renames parameters in an encoder's warnings and problems to those of the caller's protocol. */
export function nameForCaller(
  encoded: EncodedRequest,
  names: CallerSide['parameterNames'] = {},
): EncodedRequest {
  const translate = (name: string) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  if (encoded.ok) return { ...encoded, warnings: encoded.warnings.map(translate) };
  const { problem } = encoded;
  return { ok: false, problem: { ...problem, param: problem.param && translate(problem.param) } };
}
