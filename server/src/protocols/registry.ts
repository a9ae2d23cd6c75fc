import { anthropicMessages } from './anthropic-messages/index.ts';
import type { ProtocolId } from './canonical/content.ts';
import { cohere } from './cohere/index.ts';
import { gemini } from './gemini/index.ts';
import { ollama } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Protocol } from './protocol.ts';

/** Supported protocols. To add one, create a folder and add a line here. */
export const protocols = {
  'anthropic-messages': anthropicMessages,
  cohere,
  gemini,
  ollama,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
} satisfies Record<ProtocolId, Protocol>;
