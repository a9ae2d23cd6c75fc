import type { Answer, Choice, Part } from '../generation/answer.ts';
import { seal } from '../generation/signature.ts';
import { objectsIn } from '../request/checks.ts';
import { itemId } from './item-id.ts';
import { chooseFunctions } from './tools.ts';

/** Fields of a response other than its output. */
export interface Envelope {
  callId: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
  /** The request, whose settings a response repeats. */
  body: Record<string, unknown>;
  showsUsage: boolean;
  showsThoughts: boolean;
  givesThoughtsBack: boolean;
}

export type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** Returns the body of a response that is not streamed. */
export function encodeWhole(envelope: Envelope, answer: Answer): string {
  return JSON.stringify(encodeResponse(envelope, statusOf(answer), answer));
}

export function statusOf({ choices }: Answer): Status {
  const finish = choices[0]?.finish;
  return finish === 'length' || finish === 'blocked' ? 'incomplete' : 'completed';
}

/** Encodes the current state of a response; its output is empty until there is an answer. */
export function encodeResponse(envelope: Envelope, status: Status, answer: Answer | null) {
  const { callId, created, model, body, showsUsage } = envelope;
  const choice = answer?.choices[0];
  const reason = choice?.finish === 'blocked' ? 'content_filter' : 'max_output_tokens';
  return {
    id: `resp_${callId}`,
    object: 'response',
    created_at: created,
    status,
    background: false,
    completed_at: status === 'completed' ? created : null,
    error: status === 'failed' ? { code: 'server_error', message: 'The sandbox failed on purpose.' } : null,
    frequency_penalty: 0,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model,
    output: choice ? encodeItems(envelope, choice) : [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    prompt_cache_retention: body.prompt_cache_retention ?? null,
    reasoning: { effort: null, summary: null, ...Object(body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...Object(body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: objectsIn(body.tools).map(repeatTool),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: answer && showsUsage ? encodeUsage(answer) : null,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

function encodeItems(envelope: Envelope, { parts, finish }: Choice) {
  const status = finish === 'length' ? 'incomplete' : 'completed';
  return parts.map((part, index) => {
    const isCut = index === parts.length - 1 && status === 'incomplete';
    return encodeItem(envelope, parts, part, index, isCut ? status : 'completed');
  });
}

/** Repeats a tool in the response, with defaults for missing fields. */
function repeatTool(tool: Record<string, unknown>) {
  return tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool;
}

/** Encodes one item, which is empty while it is in progress. */
export function encodeItem(envelope: Envelope, parts: Part[], part: Part, index: number, status: Status) {
  const isEmpty = status === 'in_progress';
  const text = isEmpty ? '' : part.pieces.join('');
  const isAfterThoughts = index > 0 && parts[0]?.kind === 'reasoning';
  const idOf = (kind: 'reasoning' | 'message' | 'function_call') =>
    itemId(kind, envelope.callId, index, isAfterThoughts);
  switch (part.kind) {
    case 'reasoning':
      return {
        id: idOf('reasoning'),
        type: 'reasoning',
        ...(envelope.givesThoughtsBack && { encrypted_content: seal(part.pieces.join('')) }),
        summary: isEmpty || !envelope.showsThoughts ? [] : [{ type: 'summary_text', text }],
      };
    case 'tool-call': {
      const id = idOf('function_call');
      const callId = `call_${envelope.callId}_${index}`;
      const { namespace } = chooseFunctions(envelope.body).find(({ name }) => name === part.name) ?? {};
      const called = { name: part.name, ...(namespace !== undefined && { namespace }) };
      return { id, type: 'function_call', status, arguments: text, call_id: callId, ...called };
    }
    default: {
      const content = isEmpty ? [] : [encodeContent(part, text)];
      return { id: idOf('message'), type: 'message', status, content, role: 'assistant' };
    }
  }
}

export function encodeContent({ kind }: Part, text: string) {
  if (kind === 'refusal') return { type: 'refusal', refusal: text };
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function encodeUsage(answer: Answer) {
  return {
    input_tokens: answer.promptTokens,
    input_tokens_details: { cached_tokens: answer.cachedTokens },
    output_tokens: answer.completionTokens,
    output_tokens_details: { reasoning_tokens: answer.reasoningTokens },
    total_tokens: answer.promptTokens + answer.completionTokens,
  };
}
