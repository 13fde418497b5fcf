'use strict';

/**
 * Runs a module of the checkout: `node dev/run.cjs cli/petstore.ts mock`. It says what is missing
 * where nothing is installed yet, or Node is too old to read TypeScript, so it is written for any
 * Node.
 */
const fs = require('fs');
const path = require('path');
const url = require('url');

const root = path.dirname(__dirname);
const least = require('../package.json').engines.node.replace('>=', '');
const node = process.versions.node;

function refuse(reason) {
  process.stderr.write(`petstore-contract: ${reason} This is Node ${node}.\n`);
  process.exitCode = 2;
}

/**
 * `npm run` changes into this folder, and puts the programs of this project before all others. Files
 * that the command line names are those of the folder that it was typed in, and a client that it
 * starts is run by the Node of whoever typed it.
 */
function leaveNpm(env) {
  if (env.INIT_CWD === undefined) return;
  if (fs.existsSync(env.INIT_CWD)) process.chdir(env.INIT_CWD);
  const own = path.join(root, 'node_modules', '.bin');
  for (const name of Object.keys(env).filter((each) => each.toUpperCase() === 'PATH')) {
    const folders = env[name].split(path.delimiter).filter((each) => path.resolve(each) !== own);
    env[name] = folders.join(path.delimiter);
  }
}

if (!fs.existsSync(path.join(root, 'node_modules')))
  refuse('Run `npm ci` first. It installs the packages and the Node that this project runs on.');
else if (node.localeCompare(least, 'en', { numeric: true }) < 0)
  refuse(`Node ${least} or newer is needed; \`npm run\` takes the one that \`npm ci\` installed.`);
else {
  process.argv.splice(1, 2, path.resolve(root, process.argv[2]));
  if (process.argv[1] === path.join(root, 'cli', 'petstore.ts')) leaveNpm(process.env);
  void import(url.pathToFileURL(process.argv[1]).href);
}
