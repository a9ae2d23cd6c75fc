import { Button } from '@mantine/core';
import type { LlmProvider, LlmProviderDeletionImpact } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import styles from './delete-dialog.module.css';
import { deletionImpactQuery, useDeleteProvider } from './queries.ts';

interface DeleteProviderDialogProps {
  provider: LlmProvider;
  isOpen: boolean;
  onClose: () => void;
}

/** Lists the users who lose access. */
export function DeleteProviderDialog({ provider, isOpen, onClose }: DeleteProviderDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Delete ${provider.provider_instance_name}?`}>
      <DeleteProvider provider={provider} onClose={onClose} />
    </Dialog>
  );
}

function DeleteProvider({ provider, onClose }: Omit<DeleteProviderDialogProps, 'isOpen'>) {
  const { data: impact, error } = useQuery(deletionImpactQuery(provider.id));
  const { mutate, isPending } = useDeleteProvider();
  useEffect(() => {
    if (!error) return;
    showError(`Failed to check deletion impact: ${messageOf(error, 'Unknown error')}`);
    onClose();
  }, [error, onClose]);
  const remove = () =>
    mutate(provider, {
      onSuccess: () => {
        showSuccess(`${provider.provider_instance_name} was deleted`);
        onClose();
      },
      onError: (failure) => showError(`Failed to delete provider: ${messageOf(failure, 'Unknown error')}`),
    });
  return (
    <>
      <div className={styles.content}>
        <RecentUse of={{ llm_provider_id: provider.id }} />
        {impact ? <Impact {...impact} /> : <SkeletonLines count={4} />}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="danger"
          disabled={!impact}
          aria-disabled={isPending}
          onClick={() => !isPending && remove()}
        >
          {isPending ? 'Deleting...' : 'Delete Provider'}
        </Button>
      </DialogFooter>
    </>
  );
}

function Impact({ message, has_impact, impact }: LlmProviderDeletionImpact) {
  return (
    <div className={styles.impact}>
      <Notice kind={has_impact ? 'warn' : 'ok'} title={message} />
      <p>
        Running requests finish. New requests can no longer use its models. Its key is deleted permanently.
        Its past requests stay in the logs.
      </p>
      {impact.affected_users > 0 && (
        <Affected title="Affected users" total={impact.affected_users} shown={impact.user_list.length}>
          <PanelList label="Affected users" items={impact.user_list} noun="users">
            {(user) => (
              <li key={user.user_id}>
                <NameLine>{user.user_name}</NameLine>
                <SecondLine>{user.user_email}</SecondLine>
              </li>
            )}
          </PanelList>
        </Affected>
      )}
      {impact.affected_teams > 0 && (
        <Affected title="Affected teams" total={impact.affected_teams} shown={impact.team_list.length}>
          <PanelList label="Affected teams" items={impact.team_list} noun="teams">
            {(team) => (
              <li key={team.team_id}>
                <NameLine>{team.team_name}</NameLine>
              </li>
            )}
          </PanelList>
        </Affected>
      )}
    </div>
  );
}

interface AffectedProps {
  title: string;
  total: number;
  shown: number;
  children: ReactNode;
}

function Affected({ title, total, shown, children }: AffectedProps) {
  return (
    <section>
      <h3 className={styles.title}>
        {title} <span className="num quiet">({total})</span>
      </h3>
      {children}
      {shown < total && <p className="num quiet">and {total - shown} more</p>}
    </section>
  );
}
