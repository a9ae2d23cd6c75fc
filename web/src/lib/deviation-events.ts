import type { DeviationTimeline } from '@sluice/contract';

type DeviationEvent = DeviationTimeline['events'][number];

const texts: Record<DeviationEvent['kind'], string> = {
  policy_changed: 'Policy changed',
  appeal_opened: 'Appeal',
  appeal_granted: 'Appeal granted',
  appeal_denied: 'Appeal denied',
};

/** `Policy changed`, `Appeal granted: Mara Ortiz` */
export function nameDeviationEvent({ kind, user_id, user_name }: DeviationEvent): string {
  if (user_id === null) return texts[kind];
  return `${texts[kind]}: ${user_name ?? `User #${user_id}`}`;
}
