import { Button } from '@mantine/core';
import {
  blockReasonMax,
  blockUserQuery,
  type CurrentUser,
  type User,
  type UserStanding,
} from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { TextAreaField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Badge, RoleBadge } from '../../components/ui/badge.tsx';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { Failure, Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatFullTime } from '../../lib/format-time.ts';
import type { UserActions } from './actions.ts';
import belongingsStyles from './belongings.module.css';
import blockDialogStyles from './block-dialog.module.css';
import { AccessDialog, type AccessSlot, CreateUserDialog } from './create-dialog.tsx';
import styles from './details.module.css';
import drawerStyles from './drawer.module.css';
import { EditUserDialog } from './edit-dialog.tsx';
import type { RoleSlot } from './form-fields.tsx';
import { LimitUse } from './limit-use.tsx';
import { PermittedModels } from './permitted-models.tsx';
import { RecentRequests } from './recent-requests.tsx';
import { mayManage, type UserAction } from './row-actions.ts';
import { SetPasswordDialog } from './set-password-dialog.tsx';
import { userStandingQuery } from './standing-queries.ts';
import { UserStatusMarks } from './status.tsx';
import { ScoreTrend } from './trend.tsx';

export interface UserOverlaysProps {
  viewer: CurrentUser;
  users: readonly User[] | undefined;
  actions: UserActions;
  model: DataTableModel<User>;
}

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Parts of other features, passed in by the page. */
interface UserSlots {
  apiKey: (user: User) => ReactNode;
  apiKeyDialog: (props: DialogProps & { owner: User; mayChange: boolean }) => ReactNode;
  inviteDialog: (props: DialogProps) => ReactNode;
  roleField: RoleSlot;
  accessSetup: AccessSlot;
}

/** Drawer and dialogs of the users page. */
export function UserOverlays({
  viewer,
  users,
  actions,
  model,
  slots,
}: UserOverlaysProps & { slots: UserSlots }) {
  const { dialogs, rowActions, block } = actions;
  const { about: user } = dialogs;
  const { open } = model.state.search;
  const isSelf = user?.id === viewer.id;
  const { accessSetup, roleField } = slots;
  return (
    <>
      {open !== undefined && (
        <UserDrawer
          model={model}
          users={users}
          id={String(open)}
          actions={rowActions}
          apiKey={slots.apiKey}
        />
      )}
      <CreateUserDialog {...dialogs.propsOf('create')} roleField={roleField} accessSetup={accessSetup} />
      {slots.inviteDialog(dialogs.propsOf('invite'))}
      {user && (
        <>
          <EditUserDialog {...dialogs.propsOf('edit')} user={user} isSelf={isSelf} roleField={roleField} />
          <AccessDialog {...dialogs.propsOf('access')} user={user} accessSetup={accessSetup} />
          <BlockUserDialog {...dialogs.propsOf('block')} user={user} onBlock={block} />
          <SetPasswordDialog {...dialogs.propsOf('password')} user={user} isSelf={isSelf} />
          {slots.apiKeyDialog({
            ...dialogs.propsOf('api-key'),
            owner: user,
            mayChange: mayManage(viewer, user),
          })}
        </>
      )}
    </>
  );
}

function AccountFacts({ user }: { user: User }) {
  return (
    <section aria-labelledby="user-account">
      <h3 id="user-account">Account</h3>
      <FactList>
        <Fact name="Role">
          <RoleBadge name={user.role_name} />
        </Fact>
        <Fact name="Status">
          <UserStatusMarks user={user} />
        </Fact>
        <Fact name="Last login">{user.last_login === null ? 'Never' : <Time value={user.last_login} />}</Fact>
        <Fact name="Created">{formatFullTime(user.created_at)}</Fact>
        <Fact name="User ID">{user.id}</Fact>
      </FactList>
    </section>
  );
}

type Task = UserStanding['tasks'][number];

/** The user's tasks and teams. */
function Belongings({ standing: { tasks, teams } }: { standing: UserStanding }) {
  return (
    <>
      <section aria-labelledby="user-tasks">
        <h3 id="user-tasks">Tasks</h3>
        {tasks.length === 0 && <p className="quiet">No task is assigned.</p>}
        {tasks.map((task) => (
          <LimitUse key={task.task_id} name={<TaskName task={task} />} unit="tokens" {...amountsOf(task)} />
        ))}
      </section>
      <section aria-labelledby="user-teams">
        <h3 id="user-teams">Teams</h3>
        {teams.length === 0 && <p className="quiet">In no team.</p>}
        <ul className={belongingsStyles.teams}>
          {teams.map(({ team_id, team_name, role, is_active }) => (
            <li key={team_id}>
              <Link to="/admin/teams" search={{ open: team_id }}>
                {team_name}
              </Link>
              {role === 'admin' && <Badge>Team admin</Badge>}
              {!is_active && <Badge tone="warn">Inactive</Badge>}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const amountsOf = ({ used, held, limit }: Task) => ({ used, held, limit });

function TaskName({ task }: { task: Task }) {
  return (
    <>
      <Link to="/admin/tasks" search={{ open: task.task_id }}>
        {task.task_title}
      </Link>{' '}
      {task.is_api_access && <Badge>API access</Badge>}
      {!task.is_active && <Badge tone="warn">Inactive</Badge>}
    </>
  );
}

interface StandingProps {
  standing: UserStanding;
  userId: number;
}

const limitNames: Record<UserStanding['limits'][number]['kind'], { name: string; unit: string }> = {
  requests_per_hour: { name: 'This hour', unit: 'requests' },
  tokens_per_day: { name: 'Today', unit: 'tokens' },
  tokens_per_month: { name: 'This month', unit: 'tokens' },
};

/** Open appeal, limits, tasks and recent requests of a user. */
function Standing({ standing, userId }: StandingProps) {
  const { open_appeal: appeal, limits } = standing;
  return (
    <>
      {appeal && (
        <Notice kind="warn" title="An appeal waits for a decision">
          <p>{appeal.message}</p>
          <p>
            <Link to="/admin/users" search={{ tab: 'appeals' }}>
              Decide the appeal
            </Link>{' '}
            of {formatFullTime(appeal.created_at)}
          </p>
        </Notice>
      )}
      <section aria-labelledby="user-usage">
        <h3 id="user-usage">Usage</h3>
        {limits.map(({ kind, resets_at, ...use }) => (
          <LimitUse key={kind} {...limitNames[kind]} {...use} resetsAt={resets_at} />
        ))}
      </section>
      <Belongings standing={standing} />
      <RecentRequests requests={standing.recent_requests} userId={userId} />
    </>
  );
}

/** Details of a user, with the API key passed in by the page. */
function UserDetails({ user, apiKey }: { user: User; apiKey: ReactNode }) {
  const answer = useQuery(userStandingQuery(user.id));
  const { data: standing } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading what the user did');
  return (
    <div className={styles.details}>
      {user.is_blocked && (
        <Notice kind="bad" title="Blocked">
          {user.blocked_reason ?? 'No reason was given.'}
        </Notice>
      )}
      <ScoreTrend user={user} />
      {failure && <Failure {...failure} />}
      {standing && <Standing standing={standing} userId={user.id} />}
      {!standing && !failure && <SkeletonLines count={8} />}
      <PermittedModels userId={user.id} />
      <AccountFacts user={user} />
      <section aria-labelledby="user-api-key">
        <h3 id="user-api-key">API key</h3>
        {apiKey}
      </section>
    </div>
  );
}

interface BlockUserDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
  /** A rejection is shown in the dialog, which stays open. */
  onBlock: (user: User, reason: string) => Promise<unknown>;
}

function BlockUserDialog({ user, isOpen, onClose, onBlock }: BlockUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Block ${user.name}`} size="sm">
      <BlockUserForm user={user} onClose={onClose} onBlock={onBlock} />
    </Dialog>
  );
}

function BlockUserForm({ user, onClose, onBlock }: Omit<BlockUserDialogProps, 'isOpen'>) {
  const form = useContractForm({ schema: blockUserQuery, initialValues: { reason: '' } });
  const block = form.submit(async ({ reason }) => {
    await onBlock(user, reason);
    onClose();
  }, 'Failed to block user');
  return (
    <form className={blockDialogStyles.form} onSubmit={block} noValidate>
      <p className={blockDialogStyles.meaning}>
        All requests of this user are refused, by API key and in the chat. The user sees the reason.
      </p>
      <TextAreaField label="Reason" characterLimit={blockReasonMax} data-autofocus {...form.bind('reason')} />
      <div role="alert" className={blockDialogStyles.problem}>
        {form.problem !== null && <StatusMark kind="bad">{form.problem}</StatusMark>}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="danger" disabled={form.values.reason.trim() === ''}>
          Block User
        </Button>
      </DialogFooter>
    </form>
  );
}

interface UserDrawerProps {
  model: DataTableModel<User>;
  /** All users, since the one in the URL may be filtered out. */
  users: readonly User[] | undefined;
  id: string;
  actions: readonly UserAction[];
  apiKey: (user: User) => ReactNode;
}

/** User Details, next to the list. */
function UserDrawer({ model, users, id, actions, apiKey }: UserDrawerProps) {
  const user = users?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer model={model} label="User Details" heading={<Heading user={user} />}>
      {!users && <SkeletonLines count={6} />}
      {users && !user && <EmptyState title="There is no such user">Nobody here has the id {id}.</EmptyState>}
      {user && (
        <>
          <div className={drawerStyles.actions}>
            {actions
              .filter(({ isHidden }) => !isHidden?.(user))
              .map(({ name, icon: Icon, run }) => (
                <Button
                  key={name}
                  variant="default"
                  leftSection={<Icon size={14} strokeWidth={1.5} aria-hidden />}
                  onClick={() => run(user)}
                >
                  {name}
                </Button>
              ))}
          </div>
          <UserDetails user={user} apiKey={apiKey(user)} />
        </>
      )}
    </DetailsDrawer>
  );
}

function Heading({ user }: { user: User | undefined }) {
  return (
    <>
      <h2>{user?.name ?? 'User Details'}</h2>
      {user && <p className={`quiet ${drawerStyles.email}`}>{user.email}</p>}
    </>
  );
}
