import { Button } from '@mantine/core';
import type { Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatPlanPrice } from '#lib/format-money.ts';
import { plansQuery } from '#lib/plans.ts';
import styles from './billing.module.css';
import { useChangePlan } from './billing-queries.ts';

interface ChoosePlanDialogProps {
  title: string;
  /** If `undefined`, the user's own tenant is changed. */
  tenantId: number | undefined;
  /** `null` if the subscription is canceled, so that the same plan can be chosen again. */
  currentPlanId: string | null;
  isOpen: boolean;
  onClose: () => void;
}

export function ChoosePlanDialog({ title, tenantId, currentPlanId, isOpen, onClose }: ChoosePlanDialogProps) {
  const answer = useQuery({ ...plansQuery, enabled: isOpen });
  const change = useChangePlan(tenantId);
  const failure = describeFailure(answer, 'Failed to fetch plans');
  const close = () => {
    change.reset();
    onClose();
  };
  const choose = (plan: Plan) =>
    change.mutate(plan.id, {
      onSuccess: () => {
        showSuccess(`The plan is now ${plan.name}`);
        close();
      },
    });
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title}>
      {change.error && (
        <p role="alert">
          <StatusMark kind="bad">{messageOf(change.error, 'Failed to change the plan')}</StatusMark>
        </p>
      )}
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={3} />}
      <PanelList label="Plans" items={answer.data ?? []}>
        {(plan) => (
          <PlanRow
            key={plan.id}
            plan={plan}
            isCurrent={plan.id === currentPlanId}
            isPending={change.isPending}
            onChoose={() => choose(plan)}
          />
        )}
      </PanelList>
    </Dialog>
  );
}

interface PlanRowProps {
  plan: Plan;
  isCurrent: boolean;
  isPending: boolean;
  onChoose: () => void;
}

function PlanRow({ plan, isCurrent, isPending, onChoose }: PlanRowProps) {
  const { name, price_monthly, user_limit, admin_limit } = plan;
  return (
    <li className={styles.row}>
      <div>
        <NameLine>
          {name} {isCurrent && <Badge>Current plan</Badge>}
        </NameLine>
        <SecondLine>
          {formatPlanPrice(price_monthly)} per month · {user_limit} users and {admin_limit}{' '}
          {admin_limit === 1 ? 'administrator' : 'administrators'}
        </SecondLine>
      </div>
      {!isCurrent && (
        <Button aria-label={`Choose ${name}`} data-pending={isPending || undefined} onClick={onChoose}>
          Choose
        </Button>
      )}
    </li>
  );
}
