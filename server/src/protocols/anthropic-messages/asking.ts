import { type Asking, readAsking } from '../asking.ts';
import type { Utterance } from '../new-texts.ts';
import type { MessagesRequest } from './wire.ts';

type Message = MessagesRequest['messages'][number];
type Block = Exclude<Message['content'], string>[number];

/** Reads what a messages request asks the model. */
export function readMessagesAsking(fields: MessagesRequest): Asking {
  const { messages, system, tools, ...others } = fields;
  const { output_config } = others;
  return readAsking([
    { speaker: 'setting', content: [others, messages.map(({ content: _, ...more }) => more)] },
    { speaker: 'definition', content: [tools, output_config?.format] },
    { speaker: 'guide', content: system },
    ...messages.flatMap(toUtterances),
  ]);
}

const speakers = { system: 'guide', user: 'human', assistant: 'model' } as const;

/** Tool results are part of user messages, next to the user's own content. */
function toUtterances({ role, content }: Message): Utterance[] {
  const speaker = speakers[role];
  if (typeof content === 'string') return [{ speaker, content }];
  if (role === 'assistant') return [{ speaker, content, calls: content.map(({ id }) => id) }];
  return content.map(
    (block): Utterance =>
      isResult(block)
        ? { speaker: 'tool', content: block, answers: block.tool_use_id }
        : { speaker, content: block },
  );
}

const isResult = ({ type }: Block) => type.endsWith('tool_result');
