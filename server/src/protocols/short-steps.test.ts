import { afterEach, describe, expect, it, vi } from 'vitest';
import { callerProtocols } from '#test/requests/through-callers.ts';
import type { CanonicalRequest } from './canonical/request.ts';
import { protocols } from './registry.ts';
import { conversations } from './testing/conversations.ts';

const messageCount = 20_000;
/** Maximum number of messages encoded between two pauses. Each takes a few microseconds. */
const stepMessagesMax = 1_000;

function makeConversation(): CanonicalRequest {
  const parsed = protocols['openai-chat'].caller.parseRequest(
    Buffer.from(
      JSON.stringify({
        model: 'm',
        messages: Array.from({ length: messageCount }, (_, index) => ({
          role: index % 2 ? 'assistant' : 'user',
          content: 'a',
        })),
      }),
    ),
  );
  const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

describe('encodeInSteps', () => {
  const request = makeConversation();
  it.each(Object.values(protocols))(
    'encodeInSteps of $id pauses within a long conversation',
    ({ provider }) => {
      const target = { model: 'm', isStream: false, defaultOutputTokensMax: 9, isReasoningModel: false };
      const steps = provider.encodeInSteps(request, target);
      let pauses = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) pauses++;
      expect(pauses).toBeGreaterThanOrEqual(messageCount / stepMessagesMax);
      expect(step.value).toEqual(provider.encodeRequest(request, target));
    },
  );
});

describe('a text of symbols', () => {
  const letters = 1_000_000;
  afterEach(() => void vi.restoreAllMocks());

  it.each(callerProtocols)(
    'a prompt of a million symbols is read with fewer than 100,000 calls of charCodeAt in $id',
    ({ caller, id }) => {
      const text = `${'='.repeat(letters)}x`;
      const body = JSON.stringify(conversations[id]).replaceAll(/"(text|content)":"[^"]*"/g, (_, name) =>
        JSON.stringify({ [name]: text }).slice(1, -1),
      );
      const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
      const parsed = caller.parseRequest(Buffer.from(body), { model: 'm', isStream: false });
      if (!parsed.ok) throw new Error(parsed.problem.message);
      const texts = parsed.request.listNewTexts();
      const calls = charCodeAt.mock.calls.length;
      vi.restoreAllMocks();
      expect(parsed.request.judged?.length).toBeGreaterThan(letters);
      expect(texts.length).toBeGreaterThan(0);
      expect(calls).toBeLessThan(letters / 10);
    },
  );
});
