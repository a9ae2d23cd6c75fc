import { Button } from '@mantine/core';
import type { BudgetDefaultPreview } from '@sluice/contract';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './defaults.module.css';
import { type DefaultChange, useDefaultPreview } from './queries.ts';

interface DefaultPreviewProps {
  /** `null` while the form is incomplete. */
  change: DefaultChange | null;
}

export function DefaultPreview({ change }: DefaultPreviewProps) {
  const { mutate, data, error, isPending, variables } = useDefaultPreview();
  const body = change && {
    team_id: change.team_id ?? null,
    measure: change.measure,
    window: change.window,
    limit: change.limit,
  };
  const isCurrent = JSON.stringify(body) === JSON.stringify(variables);
  const preview = () => {
    if (body && !isPending) mutate(body);
  };
  return (
    <div className={styles.preview}>
      <Button variant="default" onClick={preview} aria-disabled={!body || isPending}>
        {isPending ? 'Comparing...' : 'Show affected users'}
      </Button>
      {error && isCurrent && (
        <Failure message={messageOf(error, 'The preview failed')} error={error} onRetry={preview} />
      )}
      <div role="status">
        {data && body && isCurrent && <Changes preview={data} measure={body.measure} />}
      </div>
    </div>
  );
}

interface ChangesProps {
  preview: BudgetDefaultPreview;
  measure: DefaultChange['measure'];
}

function Changes({ preview: { changed, kept, users }, measure }: ChangesProps) {
  const show = (one: BudgetDefaultPreview['users'][number]['before']) =>
    one ? `${formatWithMeasure({ measure }, one.limit)} from ${one.origin}` : 'no limit';
  return (
    <>
      <p className="num">
        {formatQuantity(changed, 'user gets', 'users get')} a different limit.
        {kept > 0 && ` ${formatQuantity(kept, 'user keeps', 'users keep')} their own limit.`}
      </p>
      {users.length > 0 && (
        <PanelList label="Users whose limit changes" items={users} noun="users">
          {({ after, before, user_email, user_id, user_name }) => (
            <li key={user_id} className={styles.change}>
              <strong title={user_email}>{user_name}</strong>
              <span className="num">
                {show(before)} → {show(after)}
              </span>
            </li>
          )}
        </PanelList>
      )}
    </>
  );
}
