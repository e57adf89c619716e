/** Every page, on one screen. */

import { Router, type RouterMiddleware } from '@koa/router';
import { koaBody } from 'koa-body';
import type { Assets } from './assets.js';
import { downloadLedger, showCredits } from './credits.js';
import type { FormGuard } from './form-guard.js';
import { requireManagement, requireMember, requireOperator, requireOwner, requirePerson } from './guards.js';
import { acceptInvitation, showInvitation } from './invitation.js';
import { showProgress, streamProgress } from './job-progress.js';
import { downloadJob, showFirstCode, showJob, showJobs } from './jobs.js';
import { createKey, revokeKey, showKeys } from './keys.js';
import { changeRole, handOver, invite, leave, removeMember, showMembers, withdrawInvitation } from './members.js';
import { becomeOperator, grantCredits, showOperator, showOperatorLink } from './operator.js';
import { exportData, rename, showSettings } from './organisation-settings.js';
import { showOverview } from './overview.js';
import type { PageRooms } from './page-rooms.js';
import { forgot, reset, showForgot, showReset } from './password-reset.js';
import { changePassword, enter, foundOrganisation, showProfile } from './profile.js';
import { doSignIn, doSignOut, showSignIn, signOutEverywhere } from './sign-in.js';
import { preview } from './preview.js';
import { admitJob, showStudio, submitStudio } from './studio.js';
import { readUpload } from './upload.js';
import { createAccount, showNewAccount, showSignUp, signUp } from './sign-up.js';

export interface RouteRooms {
  rooms: PageRooms;
  assets: Assets;
  guard: FormGuard;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function pageRoutes({ rooms, assets, guard, stopping }: RouteRooms): Router {
  const form = composed(readForm, guard.checkToken as RouterMiddleware);
  const upload = composed(readUpload, guard.checkToken as RouterMiddleware);
  const json = composed(readJson, guard.checkToken as RouterMiddleware);
  const person = requirePerson(rooms.memberships);
  const member = composed(person, requireMember);
  const manager = composed(member, requireManagement);
  const owner = composed(member, requireOwner);
  const operator = composed(person, requireOperator);

  return new Router({ prefix: '/account', sensitive: true })
    .get('/assets/:version/:name', assets.send)

    .get('/sign-up', showSignUp(rooms))
    .post('/sign-up', form, signUp(rooms))
    .get('/sign-up/:token', showNewAccount(rooms))
    .post('/sign-up/:token', form, createAccount(rooms))
    .get('/sign-in', showSignIn(rooms))
    .post('/sign-in', form, doSignIn(rooms))
    .post('/sign-out', form, doSignOut)
    .get('/forgot', showForgot(rooms))
    .post('/forgot', form, forgot(rooms))
    .get('/reset/:token', showReset(rooms))
    .post('/reset/:token', form, reset(rooms))
    .get('/invitation/:token', showInvitation(rooms))
    .post('/invitation/:token', form, acceptInvitation(rooms))

    .get('/', person, enter)
    .get('/you', person, showProfile(rooms))
    .post('/you/password', person, form, changePassword(rooms))
    .post('/you/sign-out-everywhere', person, form, signOutEverywhere(rooms))
    .post('/you/organisations', person, form, foundOrganisation(rooms))

    .get('/o/:organisationId', member, showOverview(rooms))
    .get('/o/:organisationId/studio', member, showStudio(rooms))
    .post('/o/:organisationId/studio', member, admitJob(rooms), upload, submitStudio(rooms))
    .post('/o/:organisationId/studio/preview', member, json, preview(rooms))
    .get('/o/:organisationId/jobs', member, showJobs(rooms))
    .get('/o/:organisationId/jobs/:jobId', member, showJob(rooms))
    .get('/o/:organisationId/jobs/:jobId/first-code', member, showFirstCode(rooms))
    .get('/o/:organisationId/jobs/:jobId/progress', member, showProgress(rooms))
    .get('/o/:organisationId/jobs/:jobId/events', member, streamProgress(rooms, stopping))
    .get('/o/:organisationId/jobs/:jobId/download', member, downloadJob(rooms))
    .get('/o/:organisationId/keys', member, showKeys(rooms))
    .post('/o/:organisationId/keys', manager, form, createKey(rooms))
    .post('/o/:organisationId/keys/:keyId/revoke', manager, form, revokeKey(rooms))
    .get('/o/:organisationId/credits', member, showCredits(rooms))
    .get('/o/:organisationId/credits.csv', member, downloadLedger(rooms))
    .get('/o/:organisationId/members', member, showMembers(rooms))
    .post('/o/:organisationId/members/leave', member, form, leave(rooms))
    .post('/o/:organisationId/members/:personId/role', manager, form, changeRole(rooms))
    .post('/o/:organisationId/members/:personId/remove', manager, form, removeMember(rooms))
    .post('/o/:organisationId/members/:personId/hand-over', owner, form, handOver(rooms))
    .post('/o/:organisationId/invitations', manager, form, invite(rooms))
    .post('/o/:organisationId/invitations/:invitationId/withdraw', manager, form, withdrawInvitation(rooms))
    .get('/o/:organisationId/settings', manager, showSettings(rooms))
    .post('/o/:organisationId/settings', owner, form, rename(rooms))
    .get('/o/:organisationId/export.zip', owner, exportData(rooms))

    .get('/operator', operator, showOperator(rooms))
    .post('/operator/grants', operator, form, grantCredits(rooms))
    .get('/operator/:token', showOperatorLink(rooms))
    .post('/operator/:token', form, becomeOperator(rooms));
}

/** Small forms: the longest field is a name. */
const readForm = koaBody({
  urlencoded: true,
  json: false,
  text: false,
  multipart: false,
  formLimit: '32kb',
}) as RouterMiddleware;

const readJson = koaBody({ json: true, urlencoded: false, text: false, jsonLimit: '1mb' }) as RouterMiddleware;

/** One middleware after the other. */
function composed(first: RouterMiddleware, second: RouterMiddleware): RouterMiddleware {
  return (ctx, next) => first(ctx, () => second(ctx, next) as Promise<void>);
}
