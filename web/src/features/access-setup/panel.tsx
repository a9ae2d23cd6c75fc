import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { AccessForm } from './form.tsx';
import { AccessHandover } from './handover.tsx';
import type { GivenAccess } from './plan.ts';
import { accessChoicesQuery } from './queries.ts';

interface AccessSetupProps {
  user: User;
  onDone: () => void;
}

/** Everything a user's first request needs: a task, models, a key, and the request to copy. */
export function AccessSetup({ user, onDone }: AccessSetupProps) {
  const answer = useQuery(accessChoicesQuery(user.id));
  const [given, setGiven] = useState<GivenAccess | null>(null);
  const failure = describeFailure(answer, 'The choices could not be loaded');
  if (failure) return <Failure {...failure} />;
  if (!answer.data) return <SkeletonLines count={4} />;
  if (given) return <AccessHandover user={user} {...given} onDone={onDone} />;
  return <AccessForm user={user} choices={answer.data} onGiven={setGiven} />;
}
