import type { CallerSide, EncodedRequest } from '../protocol.ts';

/** What an encoder says of a request, in the terms of the caller, whose protocol may name a parameter otherwise. */
export function nameForCaller(
  encoded: EncodedRequest,
  names: CallerSide['parameterNames'] = {},
): EncodedRequest {
  const translate = (name: string) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  if (encoded.ok) return { ...encoded, warnings: encoded.warnings.map(translate) };
  const { problem } = encoded;
  return { ok: false, problem: { ...problem, param: problem.param && translate(problem.param) } };
}
