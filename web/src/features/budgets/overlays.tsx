import type { Budget } from '@sluice/contract';
import { Dialog } from '#components/ui/dialog.tsx';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { BurnDown } from './burn-down.tsx';
import { EditBudgetForm, RaiseBudgetForm } from './change-forms.tsx';
import { CreateBudgetForm } from './create-form.tsx';
import { subjectOf } from './queries.ts';

export type DialogKind = 'create' | 'edit' | 'raise' | 'burn-down';

interface BudgetsOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, Budget>>;
}

export function BudgetsOverlays({ dialogs: { about, propsOf } }: BudgetsOverlaysProps) {
  const create = propsOf('create');
  const edit = propsOf('edit');
  const raise = propsOf('raise');
  const burnDown = propsOf('burn-down');
  return (
    <>
      <Dialog {...create} title="Create budget">
        <CreateBudgetForm onSaved={create.onClose} />
      </Dialog>
      {about && (
        <>
          <Dialog {...edit} title="Edit budget">
            <EditBudgetForm budget={about} onSaved={edit.onClose} />
          </Dialog>
          <Dialog {...raise} title="Raise budget">
            <RaiseBudgetForm budget={about} onSaved={raise.onClose} />
          </Dialog>
          <Dialog {...burnDown} title={subjectOf(about)}>
            <BurnDown budget={about} />
          </Dialog>
        </>
      )}
    </>
  );
}
