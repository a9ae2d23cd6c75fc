export interface Refusal {
  /**
   * `field`: the provider rejects this field. `efforts`: only these reasoning efforts are accepted. `responses`: such
   * requests must use the Responses API. `output`, `context`: the model's maximum output and context in tokens.
   * `room`: the output tokens left after the input of this request.
   */
  readonly kind: 'field' | 'efforts' | 'responses' | 'output' | 'context' | 'room';
  readonly value: string;
}

/**
 * Requests that a provider serves only through its Responses API: all, those with tools, or those with tools and an
 * effort.
 */
export type ResponsesRule = 'all' | 'tools' | 'tools-with-effort';

export interface Refusals {
  readonly fields: ReadonlySet<string>;
  readonly efforts: readonly string[] | null;
  readonly responses: ReadonlySet<string>;
  readonly outputTokensMax: number | null;
  readonly contextTokens: number | null;
  readonly roomTokens: number | null;
}

export function collectRefusals(refusals: readonly Refusal[]): Refusals {
  if (refusals.length === 0) return noRefusals;
  const valuesOf = (kind: Refusal['kind']) =>
    refusals.filter((refusal) => refusal.kind === kind).map(({ value }) => value);
  const latestNumber = (kind: Refusal['kind']) => {
    const latest = Number(valuesOf(kind).at(-1));
    return Number.isSafeInteger(latest) && latest > 0 ? latest : null;
  };
  return {
    fields: new Set(valuesOf('field')),
    efforts: valuesOf('efforts').at(-1)?.split(',') ?? null,
    responses: new Set(valuesOf('responses')),
    outputTokensMax: latestNumber('output'),
    contextTokens: latestNumber('context'),
    roomTokens: latestNumber('room'),
  };
}

const noRefusals: Refusals = {
  fields: new Set(),
  efforts: null,
  responses: new Set(),
  outputTokensMax: null,
  contextTokens: null,
  roomTokens: null,
};

export function isOfInstance({ kind, value }: Refusal): boolean {
  return kind === 'field' && value === 'stream_options';
}
