import { describe, expect, it } from 'vitest';
import { providers } from '#providers/registry.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import type { ProtocolId } from './canonical/content.ts';
import { protocols } from './registry.ts';
import { plainRequests } from './testing/translation/feature.ts';

const callerFields: Partial<Record<ProtocolId, Readonly<Record<string, (value: string) => object>>>> = {
  'openai-chat': {
    user: (user) => ({ user }),
    safety_identifier: (value) => ({ safety_identifier: value }),
    prompt_cache_key: (value) => ({ prompt_cache_key: value }),
    'a name of metadata': (name) => ({ metadata: { [name]: 'x' } }),
    'a value of metadata': (value) => ({ metadata: { a: value } }),
  },
  'openai-responses': {
    user: (user) => ({ user }),
    safety_identifier: (value) => ({ safety_identifier: value }),
    prompt_cache_key: (value) => ({ prompt_cache_key: value }),
    'a name of metadata': (name) => ({ metadata: { [name]: 'x' } }),
    'a value of metadata': (value) => ({ metadata: { a: value } }),
  },
  'anthropic-messages': { 'metadata.user_id': (user_id) => ({ metadata: { user_id } }) },
};

/** Limits of the providers, in characters, by field. */
const limits: readonly (readonly [
  protocol: ProtocolId,
  field: (body: Sent) => unknown,
  lengthMax: number,
])[] = [
  ['openai-chat', ({ user }) => user, 64],
  ['openai-chat', ({ safety_identifier }) => safety_identifier, 64],
  ['openai-chat', ({ prompt_cache_key }) => prompt_cache_key, 64],
  ['openai-responses', ({ user }) => user, 64],
  ['openai-responses', ({ safety_identifier }) => safety_identifier, 64],
  ['openai-responses', ({ prompt_cache_key }) => prompt_cache_key, 64],
  ['openai-responses', ({ metadata }) => Object.keys(metadata ?? {})[0], 64],
  ['openai-responses', ({ metadata }) => Object.values(metadata ?? {})[0], 512],
  ['anthropic-messages', ({ metadata }) => metadata?.user_id, 256],
];

interface Sent extends Readonly<Record<string, unknown>> {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

function send(callerId: ProtocolId, target: ProtocolId, fields: object): Sent {
  const caller = callerProtocols.find(({ id }) => id === callerId)?.caller;
  const body = { model: 'm', ...plainRequests[callerId], ...fields };
  const parsed = caller?.parseRequest(Buffer.from(JSON.stringify(body)), { model: null, isStream: null });
  const decoded = parsed?.ok ? parsed.request.toCanonical() : null;
  if (!decoded?.ok) throw new Error(`a plain request of ${callerId} is rejected`);
  const encoded = protocols[target].provider.encodeRequest(decoded.request, {
    model: 'm',
    isStream: false,
    defaultOutputTokensMax: 9,
    isReasoningModel: false,
    dialect: { ...providers.openai.chat.dialect },
  });
  if (!encoded.ok) throw new Error(encoded.problem.message);
  return JSON.parse(JSON.stringify(encoded.body));
}

interface Pair {
  readonly caller: ProtocolId;
  readonly write: (value: string) => object;
  readonly target: ProtocolId;
  readonly read: (body: Sent) => unknown;
  readonly lengthMax: number;
}

function reaches({ caller, write, target, read, lengthMax }: Pair): boolean {
  const exact = 'x'.repeat(lengthMax);
  return read(send(caller, target, write(exact))) === exact;
}

const cases = Object.entries(callerFields).flatMap(([caller, fields]) =>
  Object.entries(fields).flatMap(([name, write]) =>
    limits
      // safe because the record's keys are protocols
      .map(([target, read, lengthMax]) => ({
        caller: caller as ProtocolId,
        name,
        write,
        target,
        read,
        lengthMax,
      }))
      // Skip pairs if the caller's field does not reach the target's field.
      .filter((one) => one.target !== caller && reaches(one)),
  ),
);

describe('lengths of values', () => {
  it.each(cases)(
    '$name of a caller of $caller is shortened to the $lengthMax characters that $target allows',
    (one) => {
      const { caller, target, lengthMax, read, write } = one;
      const sentFor = (text: string) => read(send(caller, target, write(text)));
      const exact = 'x'.repeat(lengthMax);
      const longer = [`${exact}y`, `${exact}z`, 'long '.repeat(2_000)].map(sentFor);
      for (const value of longer) expect(String(value).length).toBeLessThanOrEqual(lengthMax);
      expect(new Set(longer).size).toBe(longer.length);
      expect(sentFor(`${exact}y`)).toBe(longer[0]);
    },
  );

  it('each length limit has a caller whose field can reach it', () => {
    const reached = limits.map(([, read]) => cases.some((one) => one.read === read));
    expect(reached).toEqual(limits.map(() => true));
  });

  it('metadata of more than 16 pairs is cut to 16', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 'v']));
    const { metadata: sent } = send('openai-chat', 'openai-responses', { metadata });
    expect(Object.keys(sent ?? {})).toHaveLength(16);
  });
});
