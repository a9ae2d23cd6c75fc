import { Button } from '@mantine/core';
import { useState } from 'react';
import { BusyOverlay } from '../../components/ui/busy-overlay.tsx';
import { useConfirm } from '../../components/ui/confirm.tsx';
import type { Question } from '../../components/ui/confirm-dialog.tsx';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { Drawer } from '../../components/ui/drawer.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { Part, PartGroup } from './part.tsx';

const questions: Record<string, Question> = {
  'Ask plainly': {
    title: 'Create an API key for Mira Novak?',
    confirmLabel: 'Create key',
  },
  'Ask before danger': {
    title: 'Revoke API key',
    message: 'This cannot be undone. 37 requests in the last hour used it.',
    confirmLabel: 'Revoke key',
    isDanger: true,
  },
  'Ask for the name': {
    title: 'Delete provider',
    message: 'Requests that only this provider serves will be refused.',
    confirmLabel: 'Delete provider',
    isDanger: true,
    typeToConfirm: 'northwind-main',
  },
};

const busyMs = 1500;

export function DialogParts() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null);
  const [busyText, setBusyText] = useState<string | null>(null);
  const close = () => setOpen(null);

  const block = () => {
    setBusyText('Blocking user...');
    setTimeout(() => setBusyText(null), busyMs);
  };

  return (
    <PartGroup title="Dialogs">
      <Part name="Dialog, Drawer">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button variant="default" onClick={() => setOpen('drawer')}>
          Open drawer
        </Button>
      </Part>
      <ConfirmPart />
      <Part name="BusyOverlay">
        <Button variant="default" onClick={block}>
          Block user
        </Button>
      </Part>
      <Dialog isOpen={open === 'dialog'} onClose={close} title="A long dialog" size="lg">
        <SkeletonLines count={60} />
        <DialogFooter>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={close}>Done</Button>
        </DialogFooter>
      </Dialog>
      <Drawer isOpen={open === 'drawer'} onClose={close} title="Aiko Tanaka · gpt-5-mini">
        <SkeletonLines count={8} />
      </Drawer>
      <BusyOverlay text={busyText} />
    </PartGroup>
  );
}

function ConfirmPart() {
  const [answer, setAnswer] = useState('none yet');
  const confirm = useConfirm();
  return (
    <Part name="useConfirm">
      {Object.entries(questions).map(([name, question]) => (
        <Button
          key={name}
          variant="default"
          onClick={async () => setAnswer((await confirm(question)) ? 'yes' : 'no')}
        >
          {name}
        </Button>
      ))}
      <span role="status">Answer: {answer}</span>
    </Part>
  );
}
