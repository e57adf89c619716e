/** Every page, on one screen. */

import { Router, type RouterContext, type RouterMiddleware } from '@koa/router';
import type { Next } from 'koa';
import { askFirst } from './ask-first.js';
import type { Assets } from './assets.js';
import { askOperators, downloadLedger, downloadUse, showCredits } from './organisation/credits.js';
import { sendSamples } from './front.js';
import type { FormGuard } from './form-guard.js';
import { requireManagement, requireMember, requireOperator, requireOwner, requirePerson } from './guards.js';
import { sendLabels, showLabels } from './jobs/labels.js';
import { acceptInvitation, showInvitation } from './sign-in/invitation.js';
import { showProgress, streamProgress } from './jobs/job-progress.js';
import { askToDelete, cancelJob, deleteJobs, downloadJob } from './jobs/job-actions.js';
import { downloadManifest, showJob } from './jobs/job.js';
import { showCode, showFirstCode } from './jobs/job-pictures.js';
import { showJobs } from './jobs/jobs.js';
import { createKey, revokeKey, showKey, showKeys } from './organisation/keys.js';
import {
  changeRole,
  handOver,
  invite,
  leave,
  removeMember,
  showMembers,
  withdrawInvitation,
} from './organisation/members.js';
import { becomeOperator, showOperator, showOperatorLink, withdrawOperator } from './operator/operator.js';
import {
  grantCredits,
  setAllowance,
  setLimits,
  setSuspension,
  showOrganisation,
} from './operator/operator-organisation.js';
import { exportData, rename, showSettings } from './organisation/organisation-settings.js';
import { showOverview } from './organisation/overview.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { readForm, readJson } from './read-body.js';
import { admitPreview, preview } from './studio/preview.js';
import {
  changeAddress,
  changeName,
  changePassword,
  confirmAddress,
  deleteAccount,
  endSession,
  enter,
  foundOrganisation,
  showAddress,
  showProfile,
} from './sign-in/profile.js';
import { exportPerson } from './sign-in/personal-export.js';
import {
  finishSignIn,
  makeRecoveryCodes,
  showSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './sign-in/second-factor.js';
import { doSignIn, doSignOut, showSignIn, signOutEverywhere } from './sign-in/sign-in.js';
import {
  createAccount,
  forgot,
  reset,
  showForgot,
  showNewAccount,
  showReset,
  showSignUp,
  signUp,
} from './sign-in/sign-up.js';
import {
  beginConnection,
  beginSingleSignOn,
  disconnect,
  finishSingleSignOn,
  requirePasswords,
} from './sign-in/single-sign-on.js';
import { admitJob, submitStudio } from './studio/studio.js';
import { checkStudio } from './studio/studio-check.js';
import { deleteStyle, openStudio, saveStyle } from './studio/saved-styles.js';
import { readUpload } from './upload.js';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  giveUp,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  sendNow,
  setLowBalance,
  showWebhook,
  showWebhooks,
  testWebhook,
} from './organisation/webhooks.js';

/** Shows a page, or answers a form. */
type Page = (ctx: RouterContext, dependencies: PageDependencies) => void | Promise<void>;

interface PageRouteDependencies {
  dependencies: PageDependencies;
  assets: Assets;
  guard: FormGuard;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function pageRoutes({ dependencies, assets, guard, stopping }: PageRouteDependencies): Router {
  function page(answer: Page): RouterMiddleware {
    return (ctx) => answer(ctx, dependencies);
  }
  const ask = askFirst(dependencies.view);
  const form = composed(countChange(dependencies), readForm, guard.checkToken as RouterMiddleware, ask);
  const upload = readUpload(dependencies.folder.scratch, guard, dependencies.admission.transfers.job);
  const json = composed(readJson, guard.checkToken as RouterMiddleware);
  const passwords = requirePasswords(dependencies) as RouterMiddleware;
  const person = requirePerson(dependencies.memberships);
  const member = composed(person, requireMember);
  const manager = composed(member, requireManagement);
  const owner = composed(member, requireOwner);
  const operator = composed(person, requireOperator);

  return new Router({ prefix: '/account', sensitive: true })
    .get('/assets/:version/:name', assets.send)

    .get('/samples', page(sendSamples))

    .get('/sign-up', passwords, page(showSignUp))
    .post('/sign-up', passwords, form, page(signUp))
    .get('/sign-up/:token', passwords, page(showNewAccount))
    .post('/sign-up/:token', passwords, form, page(createAccount))
    .get('/sign-in', page(showSignIn))
    .post('/sign-in', passwords, form, page(doSignIn))
    .post('/sign-in/code', passwords, form, page(finishSignIn))
    .get('/sign-in/oidc', page(beginSingleSignOn))
    .get('/sign-in/oidc/callback', page(finishSingleSignOn))
    .post('/sign-out', form, page(doSignOut))
    .get('/forgot', passwords, page(showForgot))
    .post('/forgot', passwords, form, page(forgot))
    .get('/reset/:token', passwords, page(showReset))
    .post('/reset/:token', passwords, form, page(reset))
    .get('/address/:token', page(showAddress))
    .post('/address/:token', form, page(confirmAddress))
    .get('/invitation/:token', page(showInvitation))
    .post('/invitation/:token', form, page(acceptInvitation))

    .get('/', person, page(enter))
    .get('/you', person, page(showProfile))
    .get('/you/export.json', person, page(exportPerson))
    .post('/you/password', passwords, person, form, page(changePassword))
    .post('/you/name', person, form, page(changeName))
    .post('/you/address', person, form, page(changeAddress))
    .get('/you/second-factor', passwords, person, page(showSecondFactor))
    .post('/you/second-factor', passwords, person, form, page(turnOnSecondFactor))
    .post('/you/second-factor/recovery-codes', passwords, person, form, page(makeRecoveryCodes))
    .post('/you/second-factor/off', person, form, page(turnOffSecondFactor))
    .post('/you/identities', person, form, page(beginConnection))
    .post('/you/identities/:identityId/disconnect', person, form, page(disconnect))
    .post('/you/sessions/:sessionId/end', person, form, page(endSession))
    .post('/you/delete', person, form, page(deleteAccount))
    .post('/you/sign-out-everywhere', person, form, page(signOutEverywhere))
    .post('/you/organisations', person, form, page(foundOrganisation))

    .get('/o/:organisationId', member, page(showOverview))
    .get('/o/:organisationId/studio', member, page(openStudio))
    .post('/o/:organisationId/studio', member, admitJob(dependencies), upload, page(submitStudio))
    .post('/o/:organisationId/studio/check', member, admitJob(dependencies), upload, page(checkStudio))
    .post('/o/:organisationId/studio/preview', member, admitPreview(dependencies), json, page(preview))
    .post('/o/:organisationId/studio/styles', member, admitJob(dependencies), upload, page(saveStyle))
    .post('/o/:organisationId/studio/styles/:styleId/delete', member, form, page(deleteStyle))
    .get('/o/:organisationId/jobs', member, page(showJobs))
    .get('/o/:organisationId/jobs/delete', member, page(askToDelete))
    .post('/o/:organisationId/jobs/delete', member, form, page(deleteJobs))
    .get('/o/:organisationId/jobs/:jobId', member, page(showJob))
    .post('/o/:organisationId/jobs/:jobId/cancel', member, form, page(cancelJob))
    .get('/o/:organisationId/jobs/:jobId/first-code', member, page(showFirstCode))
    .get('/o/:organisationId/jobs/:jobId/codes/:item', member, page(showCode))
    .get('/o/:organisationId/jobs/:jobId/manifest.csv', member, page(downloadManifest))
    .get('/o/:organisationId/jobs/:jobId/manifest.ndjson', member, page(downloadManifest))
    .get('/o/:organisationId/jobs/:jobId/progress', member, page(showProgress))
    .get('/o/:organisationId/jobs/:jobId/events', member, streamProgress(dependencies, stopping))
    .get('/o/:organisationId/jobs/:jobId/labels', member, page(showLabels))
    .get('/o/:organisationId/jobs/:jobId/labels.pdf', member, page(sendLabels))
    .get('/o/:organisationId/jobs/:jobId/download', member, page(downloadJob))
    .get('/o/:organisationId/keys', member, page(showKeys))
    .post('/o/:organisationId/keys', manager, form, page(createKey))
    .get('/o/:organisationId/keys/:keyId', member, page(showKey))
    .post('/o/:organisationId/keys/:keyId/revoke', manager, form, page(revokeKey))
    .get('/o/:organisationId/webhooks', manager, page(showWebhooks))
    .post('/o/:organisationId/webhooks', manager, form, page(createWebhook))
    .post('/o/:organisationId/webhooks/low-balance', manager, form, page(setLowBalance))
    .get('/o/:organisationId/webhooks/:webhookId', manager, page(showWebhook))
    .post('/o/:organisationId/webhooks/:webhookId', manager, form, page(changeWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/pause', manager, form, page(pauseWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/resume', manager, form, page(resumeWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/secret', manager, form, page(rotateSecret))
    .post('/o/:organisationId/webhooks/:webhookId/delete', manager, form, page(deleteWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/test', manager, form, page(testWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/deliveries/:deliveryId', manager, form, page(sendNow))
    .post('/o/:organisationId/webhooks/:webhookId/deliveries/:deliveryId/give-up', manager, form, page(giveUp))
    .get('/o/:organisationId/credits', member, page(showCredits))
    .post('/o/:organisationId/credits/ask', member, form, page(askOperators))
    .get('/o/:organisationId/credits/use.csv', member, page(downloadUse))
    .get('/o/:organisationId/credits.csv', member, page(downloadLedger))
    .get('/o/:organisationId/members', member, page(showMembers))
    .post('/o/:organisationId/members/leave', member, form, page(leave))
    .post('/o/:organisationId/members/:personId/role', manager, form, page(changeRole))
    .post('/o/:organisationId/members/:personId/remove', manager, form, page(removeMember))
    .post('/o/:organisationId/members/:personId/hand-over', owner, form, page(handOver))
    .post('/o/:organisationId/invitations', manager, form, page(invite))
    .post('/o/:organisationId/invitations/:invitationId/withdraw', manager, form, page(withdrawInvitation))
    .get('/o/:organisationId/settings', manager, page(showSettings))
    .post('/o/:organisationId/settings', owner, form, page(rename))
    .get('/o/:organisationId/export.zip', owner, page(exportData))

    .get('/operator', operator, page(showOperator))
    .post('/operator/operators/withdraw', operator, form, page(withdrawOperator))
    .get('/operator/organisations/:organisationId', operator, page(showOrganisation))
    .post('/operator/organisations/:organisationId/grants', operator, form, page(grantCredits))
    .post('/operator/organisations/:organisationId/allowance', operator, form, page(setAllowance))
    .post('/operator/organisations/:organisationId/limits', operator, form, page(setLimits))
    .post('/operator/organisations/:organisationId/suspension', operator, form, page(setSuspension))
    .get('/operator/:token', page(showOperatorLink))
    .post('/operator/:token', form, page(becomeOperator));
}

/** Counts a signed-in person's form before it is read. */
function countChange({ throttle }: PageDependencies): RouterMiddleware {
  return async (ctx, next) => {
    const { person } = pageState(ctx);
    if (person !== undefined) {
      await throttle.count('change', person.id);
    }
    await next();
  };
}

/** Middlewares as one. */
export function composed<Ctx>(...steps: ((ctx: Ctx, next: Next) => unknown)[]) {
  return async (ctx: Ctx, next: Next): Promise<void> => {
    const run = async (index: number): Promise<void> => {
      await (steps[index] === undefined ? next() : steps[index](ctx, () => run(index + 1)));
    };
    await run(0);
  };
}
