import type { Message } from '../../canonical/content.ts';
import type { CanonicalRequest, RequestProblem } from '../../canonical/request.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import { encodeRequest } from '../request-encoder.ts';
import { createStreamDecoder } from '../stream-decoder.ts';

export interface EncodedBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_plan?: string;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }[];
  readonly documents?: readonly { readonly id: string; readonly data: object }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

const thoughtless = new Set(['command-a-03-2025', 'command-r']);

const encode = (overrides: Partial<CanonicalRequest>, model: string, isStream: boolean) =>
  encodeRequest(
    { messages: [user('Hello')], tools: [], stop: [], sampling: {}, extensions: [], ...overrides },
    {
      model,
      isStream,
      defaultOutputTokensMax: 4096,
      isReasoningModel: false,
      facts: { reasoning: !thoughtless.has(model) },
    },
  );

export function encodeWishes(
  overrides: Partial<CanonicalRequest> = {},
  model = 'command-a-03-2025',
  isStream = false,
): { readonly body: EncodedBody; readonly warnings: readonly string[] } {
  const encoded = encode(overrides, model, isStream);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because the test's assertions fail for any other shape
  return { body: encoded.body as EncodedBody, warnings: encoded.warnings };
}

export function encodingProblem(overrides: Partial<CanonicalRequest>): RequestProblem | null {
  const encoded = encode(overrides, 'command-a-03-2025', false);
  return encoded.ok ? null : encoded.problem;
}

export function decodeEvents(...events: readonly object[]): StreamEvent[] {
  const decoder = createStreamDecoder();
  const decoded = events.flatMap((event) =>
    decoder.decode({ event: 'message', data: JSON.stringify(event) }),
  );
  return [...decoded, ...decoder.end()];
}
