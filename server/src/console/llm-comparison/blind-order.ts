import { createHash } from 'node:crypto';
import { answerLabels } from '@sluice/contract';

export type AnswerLabel = (typeof answerLabels)[number];

export interface LabelledAnswer<Answer> {
  readonly answer: Answer;
  readonly label: AnswerLabel;
  /** Replaces the answer's own id, which would reveal the order of the form. */
  readonly blindId: string;
}

/** Orders the answers of a blind comparison: always the same for one user, but different among users. */
export function orderBlindly<Answer extends { readonly id: string }>(
  answers: readonly Answer[],
  viewerId: number,
): LabelledAnswer<Answer>[] {
  return answers
    .map((answer) => ({ answer, blindId: toBlindId(answer.id, viewerId) }))
    .toSorted((one, other) => (one.blindId < other.blindId ? -1 : 1))
    .map((one, index) => ({ ...one, label: answerLabels[index] ?? 'F' }));
}

/** Ids have 74 random bits and are secret until the vote, so the hash reveals nothing. */
function toBlindId(id: string, viewerId: number): string {
  const hash = createHash('sha256').update(`${viewerId} ${id}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
