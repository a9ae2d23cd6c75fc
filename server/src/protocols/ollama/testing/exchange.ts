import type { Message } from '../../canonical/content.ts';
import type { CanonicalRequest, ModelFacts, RequestProblem } from '../../canonical/request.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import { encodeRequest } from '../request-encoder.ts';
import { createStreamDecoder } from '../stream-decoder.ts';

export interface EncodedBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly thinking?: string;
    readonly images?: readonly string[];
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: object };
    }[];
    readonly tool_call_id?: string;
    readonly tool_name?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

const facts: Readonly<Record<string, ModelFacts>> = {
  'llama3.2:3b': { reasoning: false },
  'gpt-oss:20b': { reasoning: true, efforts: ['low', 'medium', 'high'] },
  'gpt-oss:120b': { reasoning: true, efforts: ['low', 'medium', 'high'] },
};

const encode = (overrides: Partial<CanonicalRequest>, model: string, isStream: boolean) =>
  encodeRequest(
    { messages: [user('Hello')], tools: [], stop: [], sampling: {}, extensions: [], ...overrides },
    {
      model,
      isStream,
      defaultOutputTokensMax: 4096,
      isReasoningModel: false,
      facts: facts[model] ?? {},
    },
  );

export function encodeWishes(
  overrides: Partial<CanonicalRequest> = {},
  model = 'qwen3:8b',
  isStream = false,
): { readonly body: EncodedBody; readonly warnings: readonly string[] } {
  const encoded = encode(overrides, model, isStream);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because the test's assertions fail for any other shape
  return { body: encoded.body as EncodedBody, warnings: encoded.warnings };
}

export function encodingProblem(overrides: Partial<CanonicalRequest>): RequestProblem | null {
  const encoded = encode(overrides, 'qwen3:8b', false);
  return encoded.ok ? null : encoded.problem;
}

export function decodeLines(...lines: readonly object[]): StreamEvent[] {
  const decoder = createStreamDecoder();
  const decoded = lines.flatMap((line) => decoder.decode({ event: 'message', data: JSON.stringify(line) }));
  return [...decoded, ...decoder.end()];
}
