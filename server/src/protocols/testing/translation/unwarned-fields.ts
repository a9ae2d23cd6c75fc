import type { CallerId } from '../full-requests.ts';

/** Fields that have no effect at a provider of another protocol and cause no warning. */
export interface UnwarnedFields {
  readonly fields: Partial<Record<CallerId, readonly string[]>>;
  readonly reason: string;
}

/** Fields that are intentionally dropped. Listed in docs/TRANSLATION.md. */
export const unwarnedFields: readonly UnwarnedFields[] = [
  {
    fields: {
      'anthropic-messages': ['task_id', 'metadata.task_id', 'stream'],
      gemini: ['task_id', 'metadata.task_id', 'model'],
      'openai-chat': ['task_id', 'stream', 'stream_options', 'stream_options.include_usage'],
      'openai-responses': ['task_id', 'stream', 'stream_options', 'stream_options.include_obfuscation'],
    },
    reason:
      'The gateway applies these fields itself. At Gemini, the URL selects whether the response is streamed.',
  },
  {
    fields: {
      'anthropic-messages': ['thinking.display'],
      gemini: ['generationConfig.thinkingConfig.includeThoughts'],
      'openai-chat': ['reasoning.exclude', 'include_reasoning'],
      'openai-responses': ['reasoning.summary'],
    },
    reason:
      "Only Anthropic, Gemini and OpenAI's responses let the caller choose whether an answer includes reasoning.",
  },
  {
    fields: {
      'anthropic-messages': ['thinking.budget_tokens'],
      gemini: [
        'generationConfig.thinkingConfig.thinkingBudget',
        'generationConfig.thinkingConfig.thinkingLevel',
      ],
      'openai-chat': ['thinking.budget_tokens'],
    },
    reason:
      'Most Ollama models only support switching thinking on or off and choose the length of their thinking themselves.',
  },
  {
    fields: {
      'anthropic-messages': ['messages.content.signature'],
      gemini: [
        'contents.parts.thought',
        'contents.parts.thoughtSignature',
        'systemInstruction.parts.thought',
        'systemInstruction.parts.thoughtSignature',
      ],
      'openai-chat': [
        ...['messages.tool_calls.extra_content', 'messages.images.extra_content'],
        ...['data', 'format', 'id', 'index', 'signature', 'summary', 'text', 'x_unknown'].map(
          (name) => `messages.reasoning_details.${name}`,
        ),
      ],
      'openai-responses': ['input.encrypted_content', 'input.summary', 'input.summary.text'],
    },
    reason:
      'Signatures of reasoning and calls, which only the signing provider can verify. Visible reasoning is translated or named in a warning.',
  },
  {
    fields: {
      'openai-chat': ['messages.annotations', 'messages.tool_calls.index', 'messages.images.index'],
      'openai-responses': [
        ...['input.id', 'input.status', 'input.phase', 'input.content.annotations', 'input.content.logprobs'],
        ...['title', 'url', 'start_index', 'end_index', 'x_unknown'].map(
          (name) => `input.content.annotations.${name}`,
        ),
        ...['bytes', 'logprob', 'token', 'x_unknown', 'top_logprobs'].map(
          (name) => `input.content.logprobs.${name}`,
        ),
        ...['bytes', 'logprob', 'token', 'x_unknown'].map(
          (name) => `input.content.logprobs.top_logprobs.${name}`,
        ),
      ],
    },
    reason: 'These details of an earlier response are not read by models.',
  },
  {
    fields: {
      'anthropic-messages': ['messages.content.source.media_type', 'messages.content.tool.name'],
      gemini: [
        'contents.parts.inlineData.mimeType',
        'contents.parts.fileData.mimeType',
        'contents.parts.functionResponse.parts.inlineData.mimeType',
        'contents.parts.functionResponse.id',
        'tools.functionDeclarations.parameters',
      ],
      'openai-chat': ['messages.name', 'messages.function_call.arguments'],
      'openai-responses': ['input.tools.parameters', 'input.content', 'input.output_format'],
    },
    reason:
      'The rest of the request contains the same information: the bytes show the type of data, the call shows the tool of a result, and missing parameters are empty.',
  },
  {
    fields: {
      gemini: [
        'contents.parts.inlineData.displayName',
        'contents.parts.fileData.displayName',
        'contents.parts.functionResponse.parts.inlineData.displayName',
      ],
    },
    reason: 'Only documents have a name at other providers.',
  },
  {
    fields: { 'openai-chat': ['parallel_tool_calls'], 'openai-responses': ['parallel_tool_calls'] },
    reason:
      'The field has no effect in a request without tools. With tools, it is translated or named in a warning.',
  },
  {
    fields: {
      'openai-chat': ['response_format.json_schema.strict'],
      'openai-responses': ['text.format.strict'],
    },
    reason: 'Providers of other protocols always enforce the schema of an answer.',
  },
];
