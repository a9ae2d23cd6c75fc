import { describe, expect, it } from 'vitest';
import type { CallerSide } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { nameForCaller } from './tool-names.ts';

const refuse = (param: string | null) =>
  ({ ok: false, problem: { code: 'invalid_request', message: 'No.', param } }) as const;

describe('nameForCaller', () => {
  it.each([
    ['anthropic-messages', 'stop', 'stop_sequences'],
    ['openai-responses', 'messages', 'input'],
    ['gemini', 'n', 'generationConfig.candidateCount'],
    ['gemini', 'messages', 'contents'],
    ['openai-chat', 'stop', 'stop'],
    ['gemini', 'constructor', 'constructor'],
  ] as const)('nameForCaller for a caller of %s maps %s to %s', (id, name, own) => {
    const { parameterNames }: CallerSide = protocols[id].caller;
    expect(nameForCaller(refuse(name), parameterNames)).toEqual(refuse(own));
    const warned = { ok: true, body: {}, warnings: [name, 'anything_else'] } as const;
    expect(nameForCaller(warned, parameterNames)).toEqual({ ...warned, warnings: [own, 'anything_else'] });
  });

  it('nameForCaller returns a problem without a param unchanged', () => {
    expect(nameForCaller(refuse(null), protocols.gemini.caller.parameterNames)).toEqual(refuse(null));
  });
});
