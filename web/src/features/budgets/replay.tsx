import { Button } from '@mantine/core';
import type { BudgetReplay as Replay } from '@sluice/contract';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import styles from './defaults.module.css';
import { type Trial, useBudgetReplay } from './queries.ts';

const days = 30;

interface BudgetReplayProps {
  /** `null` while the form is incomplete. */
  budget: Trial['budget'] | null;
}

export function BudgetReplay({ budget }: BudgetReplayProps) {
  const { mutate, data, error, isPending, variables } = useBudgetReplay();
  const isCurrent = JSON.stringify(budget) === JSON.stringify(variables?.budget);
  const replay = () => {
    if (budget && !isPending) mutate({ budget, days });
  };
  return (
    <div className={styles.preview}>
      <Button variant="default" onClick={replay} aria-disabled={!budget || isPending}>
        {isPending ? 'Testing...' : `Test on the last ${days} days`}
      </Button>
      {error && isCurrent && (
        <Failure
          message={messageOf(error, 'The budget could not be tested')}
          error={error}
          onRetry={replay}
        />
      )}
      <div role="status">
        {isPending && <span className="quiet">Reading the requests of the last {days} days...</span>}
        {data && budget && isCurrent && <ReplayResult replay={data} measure={budget.measure} />}
      </div>
    </div>
  );
}

interface ReplayResultProps {
  replay: Replay;
  measure: Trial['budget']['measure'];
}

function ReplayResult({ replay, measure }: ReplayResultProps) {
  const { first_refused_at, is_complete, refused, refused_amount, refusing_periods, requests, users } =
    replay;
  return (
    <>
      <p className="num">
        {refused === 0
          ? `This budget would have refused 0 of ${formatQuantity(requests, 'request')}.`
          : `This budget would have refused ${formatCount(refused)} of ${formatQuantity(requests, 'request')} (${formatWithMeasure({ measure }, refused_amount)}) in ${formatQuantity(refusing_periods, 'period')}. First refusal: ${first_refused_at === null ? 'unknown' : formatShortTime(first_refused_at)}.`}
        {!is_complete && ' Only the first 500,000 requests were tested.'}
      </p>
      {users.length > 0 && (
        <PanelList label="Users with refused requests" items={users} noun="users">
          {(user) => (
            <li key={user.user_id} className={styles.change}>
              <strong>{user.user_name || user.user_email}</strong>
              <span className="num">
                {formatQuantity(user.refused, 'request')} of {formatQuantity(user.requests, 'request')}
              </span>
            </li>
          )}
        </PanelList>
      )}
    </>
  );
}
