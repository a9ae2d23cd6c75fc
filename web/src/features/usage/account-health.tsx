import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { accountHealthOf } from '../../lib/account-health.ts';
import { quotaStatusQuery } from '../../lib/quota-status.ts';

const explanations = {
  Blocked: 'New requests are refused. The dashboard says why, and takes an appeal.',
  'At Risk': 'Your deviation score is high: work on your task lowers it, other prompts raise it.',
  'Good Standing': 'Nothing keeps you from working.',
} as const;

/** Account state with an explanation. */
export function AccountHealthPanel() {
  const { data: status } = useQuery(quotaStatusQuery);
  if (!status) return <SkeletonLines count={2} />;
  const { text, kind } = accountHealthOf(status);
  return (
    <section aria-label="Account health">
      <Notice kind={kind} title={text}>
        {explanations[text]}
      </Notice>
    </section>
  );
}
