import { Button } from '@mantine/core';
import type { BudgetDefault } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DeleteIcon, EditIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { CreateDefaultForm, EditDefaultForm } from './default-forms.tsx';
import styles from './defaults.module.css';
import { budgetDefaultsQuery, describeAction, describeLimit, useDeleteBudgetDefault } from './queries.ts';

export function DefaultList() {
  const answer = useQuery(budgetDefaultsQuery);
  const dialogs = useDialogs<'create' | 'edit', BudgetDefault>();
  const failure = describeFailure(answer, 'Failed to load the default budgets');
  const create = dialogs.propsOf('create');
  const edit = dialogs.propsOf('edit');
  return (
    <div className={styles.defaults}>
      <div className={styles.head}>
        <p className="quiet">
          These limits apply to each user automatically. A user's own limit replaces a default with the same
          measure and period. A team's default replaces the organization's default.
        </p>
        <Button onClick={() => dialogs.open('create')}>Set a default</Button>
      </div>
      {failure && <Failure {...failure} />}
      {!answer.data && !failure && <SkeletonLines count={4} />}
      {answer.data?.length === 0 && (
        <EmptyState title="No default budgets yet">
          A team's default applies to every member immediately.
        </EmptyState>
      )}
      {answer.data && answer.data.length > 0 && (
        <PanelList label="Default budgets" items={answer.data} noun="defaults">
          {(one) => <DefaultRow key={one.id} budget={one} onEdit={() => dialogs.open('edit', one)} />}
        </PanelList>
      )}
      <Dialog {...create} title="Set a default budget">
        <CreateDefaultForm onSaved={create.onClose} />
      </Dialog>
      {dialogs.about && (
        <Dialog {...edit} title="Edit default budget">
          <EditDefaultForm budget={dialogs.about} onSaved={edit.onClose} />
        </Dialog>
      )}
    </div>
  );
}

const nameDefault = ({ team_name }: Pick<BudgetDefault, 'team_name'>): string =>
  team_name === null ? 'Each user of your organization' : `Each member of ${team_name}`;

function DefaultRow({ budget, onEdit }: { budget: BudgetDefault; onEdit: () => void }) {
  const confirm = useConfirm();
  const { mutate } = useDeleteBudgetDefault();
  const limit = describeLimit({ ...budget, effective_limit: budget.limit });
  const name = `${nameDefault(budget)}, ${limit}`;
  const remove = async () => {
    const isSure = await confirm({
      title: 'Delete this default budget?',
      message: `${name}. ${formatQuantity(budget.users, 'user loses', 'users lose')} this limit. Another default may apply to them instead.`,
      confirmLabel: 'Delete',
      isDanger: true,
    });
    if (!isSure) return;
    mutate(
      { params: { id: budget.id } },
      {
        onSuccess: () => showSuccess('The default budget was deleted'),
        onError: (error) => showError(messageOf(error, 'Failed to delete the default budget')),
      },
    );
  };
  return (
    <li className={styles.row}>
      <div>
        <strong>{nameDefault(budget)}</strong>
        <p className="num quiet">
          {limit} · {describeAction(budget)} at the limit · {formatQuantity(budget.users, 'user')}
        </p>
      </div>
      <div className={styles.actions}>
        <IconButton label={`Edit: ${name}`} icon={EditIcon} onClick={onEdit} />
        <IconButton label={`Delete: ${name}`} icon={DeleteIcon} onClick={() => void remove()} />
      </div>
    </li>
  );
}
