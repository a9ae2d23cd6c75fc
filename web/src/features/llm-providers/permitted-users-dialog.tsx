import { useQuery } from '@tanstack/react-query';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './permitted-users-dialog.module.css';
import { permittedUsersQuery } from './queries.ts';

interface PermittedUsersDialogProps {
  model: string;
  isOpen: boolean;
  onClose: () => void;
}

export function PermittedUsersDialog({ model, isOpen, onClose }: PermittedUsersDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Who may use ${model}?`}>
      <PermittedUserList model={model} />
    </Dialog>
  );
}

function PermittedUserList({ model }: { model: string }) {
  const answer = useQuery(permittedUsersQuery(model));
  const { data } = answer;
  const failure = describeFailure(answer, 'Failed to load the users with access');
  if (failure) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={5} />;
  if (data.total === 0) return <EmptyState title="Nobody">{data.refusal}</EmptyState>;
  return (
    <>
      <p className={`num quiet ${styles.total}`}>
        {formatQuantity(data.total, 'user')}
        {data.users.length < data.total && `, of whom the first ${data.users.length} are shown`}
      </p>
      <PanelList label="Users with access" items={data.users} noun="users">
        {(user) => (
          <li key={user.user_id} className={styles.user}>
            <div className={styles.identity}>
              <NameLine>{user.user_name}</NameLine>
              <SecondLine>{user.user_email}</SecondLine>
            </div>
            <Badge tone={user.access_source === 'direct' ? 'accent' : 'neutral'}>{sourceOf(user)}</Badge>
          </li>
        )}
      </PanelList>
    </>
  );
}

interface Source {
  readonly access_source: 'role' | 'direct' | 'team';
  readonly team_name: string | null;
}

function sourceOf({ access_source, team_name }: Source): string {
  if (access_source === 'role') return 'Administrator';
  return access_source === 'direct' ? 'Direct' : `Team ${team_name}`;
}
