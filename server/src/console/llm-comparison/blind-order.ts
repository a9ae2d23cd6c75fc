import { createHash } from 'node:crypto';
import { answerLabels } from '@sluice/contract';

export type AnswerLabel = (typeof answerLabels)[number];

export interface LabelledAnswer<Answer> {
  readonly answer: Answer;
  readonly label: AnswerLabel;
  /** Stands for the answer's own id, whose order would tell the order of the form. */
  readonly blindId: string;
}

/** The answers of a blind comparison as one person sees them: always in the same order, which is another for each person. */
export function orderBlindly<Answer extends { readonly id: string }>(
  answers: readonly Answer[],
  viewerId: number,
): LabelledAnswer<Answer>[] {
  return answers
    .map((answer) => ({ answer, blindId: toBlindId(answer.id, viewerId) }))
    .toSorted((one, other) => (one.blindId < other.blindId ? -1 : 1))
    .map((one, index) => ({ ...one, label: answerLabels[index] ?? 'F' }));
}

/** An id has 74 random bits that nobody is told before the vote, so its hash tells nothing of it. */
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
