import type { User } from '@sluice/contract';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ApiKeyPanel } from './panel.tsx';

interface ApiKeyDialogProps {
  owner: Pick<User, 'id' | 'name'>;
  mayChange: boolean;
  isOpen: boolean;
  onClose: () => void;
}

export function ApiKeyDialog({ owner, mayChange, isOpen, onClose }: ApiKeyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`API key of ${owner.name}`}>
      <ApiKeyPanel owner={owner} mayChange={mayChange} />
    </Dialog>
  );
}
