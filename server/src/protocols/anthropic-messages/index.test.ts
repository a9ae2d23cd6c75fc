import { describe, expect, it } from 'vitest';
import { anthropicMessages } from './index.ts';
import { answerContext, encodeBytes, makeRequest } from './testing/exchange.ts';
import { messageStart, textDelta, textStart } from './testing/wire-events.ts';

const { caller, provider } = anthropicMessages;

describe('anthropicMessages', () => {
  it('anthropicMessages supports callers and providers over server-sent events', () => {
    expect(anthropicMessages.id).toBe('anthropic-messages');
    expect(caller?.streamContentType).toMatch(/^text\/event-stream/);
    expect(provider.framing).toBe('sse');
  });

  it('anthropicMessages keeps the states of concurrent streams separate in both directions', () => {
    const data = [messageStart(), textStart(0), textDelta(0, 'a')].map((event) => JSON.stringify(event));
    const [first, second] = [provider.createStreamDecoder(), provider.createStreamDecoder()];
    for (const text of data)
      expect(second.decode({ event: 'message', data: text })).toEqual(
        first.decode({ event: 'message', data: text }),
      );
    const [one, other] = [
      caller?.createStreamEncoder(answerContext),
      caller?.createStreamEncoder(answerContext),
    ];
    const start = { type: 'start', id: 'x', model: 'm', createdAtSeconds: null } as const;
    expect(one?.encode(start)).toBe(other?.encode(start));
    expect(one?.encode(start)).toBe('');
  });

  it('encodeRequest requests a stream from the provider if the caller requested one', () => {
    const target = { model: 'm', isStream: true, defaultOutputTokensMax: 9, isReasoningModel: false };
    expect(provider.encodeRequest(makeRequest(), target)).toMatchObject({ ok: true, body: { stream: true } });
  });

  it('encodeStreamError returns an error frame that Anthropic clients recognize', () => {
    const facts = {
      code: 'upstream_error',
      status: 502,
      message: 'x',
      providerCode: null,
      param: null,
    } as const;
    expect(caller?.encodeStreamError(facts, answerContext)).toBe(
      encodeBytes([{ type: 'error', code: 'upstream_error', message: 'x' }]).toString(),
    );
  });
});
