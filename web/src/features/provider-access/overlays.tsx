import type { TableState } from '#components/data-table/use-table-state.ts';
import type { AccessActions } from './actions.ts';
import { EditAccessDialog } from './edit-dialog.tsx';
import { ExplainDrawer } from './explain-drawer.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { isTeamAccess } from './queries.ts';
import type { AccessSearch } from './search.ts';
import { UserProvidersDialog } from './user-providers-dialog.tsx';

interface AccessOverlaysProps {
  state: TableState<AccessSearch>;
  actions: AccessActions;
}

export function AccessOverlays({ state, actions }: AccessOverlaysProps) {
  const { tab, explain, grant, model } = state.search;
  const { access } = actions;
  const granting = actions.propsOf('grant');
  return (
    <>
      <GrantDialog
        holder={tab === 'teams' ? 'team' : 'user'}
        providerId={grant}
        isOpen={granting.isOpen || grant !== undefined}
        onClose={() => {
          granting.onClose();
          if (grant !== undefined) state.change({ grant: undefined });
        }}
      />
      {access && <EditAccessDialog access={access} {...actions.propsOf('edit')} />}
      {access && !isTeamAccess(access) && (
        <UserProvidersDialog
          userId={access.user_id}
          userName={access.user_name}
          {...actions.propsOf('summary')}
        />
      )}
      <ExplainDrawer
        isOpen={explain !== undefined}
        question={{ userId: explain === 'anybody' ? undefined : explain, model: model ?? '' }}
        onAsk={(question) => state.change({ explain: question.userId, model: question.model })}
        onClose={() => state.change({ explain: undefined, model: undefined })}
      />
    </>
  );
}
