import type { AssistantPart } from '../canonical/content.ts';
import { type AnswerFailure, type Choice, type Finish, failureOf } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { fillArguments } from './call-arguments.ts';

interface Draft {
  /** Indexed by block number. */
  readonly blocks: AssistantPart[];
  refusal: string;
  finish: Finish;
}

/** Collects the events of a complete response into choices, in order of their index. */
export function collectChoices(events: readonly StreamEvent[]): Choice[] {
  const drafts = new Map<number, Draft>();
  for (const event of events) {
    if (!('choice' in event)) continue;
    const draft = drafts.get(event.choice) ?? createDraft();
    drafts.set(event.choice, draft);
    if (event.type === 'finish') draft.finish = event.finish;
    else if (event.type === 'refusal-delta') draft.refusal += event.text;
    else {
      const block = grow(draft.blocks[event.block], event);
      if (block) draft.blocks[event.block] = block;
    }
  }
  const inOrder = [...drafts].sort(([left], [right]) => left - right);
  return inOrder.map(([, { blocks, refusal, finish }]) => ({
    parts: refusal === '' ? blocks : [...blocks, { type: 'refusal', text: refusal }],
    finish,
  }));
}

/** Returns the error of a complete response: a reported error, or the reason why all choices failed. */
export function findFailure(events: readonly StreamEvent[]): AnswerFailure | null {
  const error = events.find((event) => event.type === 'error');
  if (error) {
    const { type: _, ...failure } = error;
    return failure;
  }
  const finishes = events.flatMap((event) => (event.type === 'finish' ? [event.finish] : []));
  const [first] = finishes;
  return first && finishes.every(({ reason }) => reason === 'error') ? failureOf(first) : null;
}

function createDraft(): Draft {
  return { blocks: [], refusal: '', finish: { reason: 'stop', native: null } };
}

type BlockEvent = Extract<StreamEvent, { readonly block: number }>;

function grow(block: AssistantPart | undefined, event: BlockEvent): AssistantPart | undefined {
  switch (event.type) {
    case 'text-start':
      return { type: 'text', text: '' };
    case 'reasoning-start':
      return { type: 'reasoning', text: '', isRedacted: event.isRedacted };
    case 'tool-input-start':
      return { type: 'tool-call', id: event.id, name: event.name, arguments: '' };
    case 'image':
      return event.image;
    case 'text-delta':
    case 'reasoning-delta':
      return block && 'text' in block ? { ...block, text: block.text + event.text } : block;
    case 'tool-input-delta':
      return block?.type === 'tool-call' ? { ...block, arguments: block.arguments + event.json } : block;
    case 'text-end':
      return block;
    case 'reasoning-end':
    case 'tool-input-end':
      return block && finish(block, event);
  }
}

function finish(
  block: AssistantPart,
  { signature }: Pick<Extract<BlockEvent, { type: 'reasoning-end' }>, 'signature'>,
): AssistantPart {
  const proof = signature && { signature };
  if (block.type === 'tool-call') return { ...block, arguments: fillArguments(block.arguments), ...proof };
  return block.type === 'reasoning' ? { ...block, ...proof } : block;
}
