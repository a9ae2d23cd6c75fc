import type { DeviationReceipt, DeviationSignal, DeviationTimeline } from '@sluice/contract';

export const signalTexts: Readonly<Record<DeviationSignal, { label: string; meaning: string }>> = {
  off_topic: { label: 'Off topic', meaning: 'The prompt is not related to work.' },
  category: { label: 'Other category', meaning: 'The prompt belongs to a different category than the task.' },
  wording: { label: 'Wording', meaning: 'The wording differs from the task.' },
  burst: { label: 'Burst', meaning: 'More requests than usual for this user in one hour.' },
  refusals: { label: 'Refusals', meaning: 'Earlier requests were refused.' },
};

export const receiptTexts: Readonly<Record<DeviationReceipt['name'], string>> = {
  off_topic: signalTexts.off_topic.label,
  category: signalTexts.category.label,
  wording: signalTexts.wording.label,
  burst: signalTexts.burst.label,
  refusals: signalTexts.refusals.label,
  return: 'Decay with this request',
  time: 'Decay over time',
  review: 'Decided by an administrator',
};

type DeviationEvent = DeviationTimeline['events'][number];

const texts: Record<DeviationEvent['kind'], string> = {
  policy_changed: 'Policy changed',
  appeal_opened: 'Appeal',
  appeal_granted: 'Appeal granted',
  appeal_denied: 'Appeal denied',
};

/** Describes a deviation event, for example `Policy changed` or `Appeal granted: Mara Ortiz`. */
export function nameDeviationEvent({ kind, user_id, user_name }: DeviationEvent): string {
  if (user_id === null) return texts[kind];
  return `${texts[kind]}: ${user_name ?? `User #${user_id}`}`;
}
