'use strict';

/**
 * Runs a module of the checkout: `node dev/run.cjs cli/petstore.ts mock`. It says what is missing
 * where nothing is installed yet, or Node is too old to read TypeScript, so it is written for any
 * Node.
 */
var fs = require('fs');
var path = require('path');

var root = path.dirname(__dirname);
var least = require('../package.json').engines.node.replace('>=', '');
var node = process.versions.node;

/** Whether a version is lower than another, both such as `22.19.0`. */
function isLower(version, other) {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

function refuse(reason) {
  process.stderr.write('petstore-contract: ' + reason + ' This is Node ' + node + '.\n');
  process.exitCode = 2;
}

/**
 * `npm run` changes into this folder, and puts the programs of this project before all others. Files
 * that the command line names are those of the folder that it was typed in, and a client that it
 * starts is run by the Node of whoever typed it.
 */
function leaveNpm(env) {
  var name = Object.keys(env).find(function (each) {
    return each.toUpperCase() === 'PATH';
  });
  var own = path.join(root, 'node_modules', '.bin');
  if (env.INIT_CWD === undefined) return;
  if (fs.existsSync(env.INIT_CWD)) process.chdir(env.INIT_CWD);
  if (name !== undefined)
    env[name] = env[name]
      .split(path.delimiter)
      .filter(function (each) {
        return path.resolve(each) !== own;
      })
      .join(path.delimiter);
}

if (!fs.existsSync(path.join(root, 'node_modules')))
  refuse('Run `npm ci` first. It installs the packages and the Node that this project runs on.');
else if (isLower(node, least))
  refuse('Node ' + least + ' or newer is needed; `npm run` takes the one that `npm ci` installed.');
else {
  process.argv.splice(1, 2, path.resolve(root, process.argv[2]));
  if (process.argv[1] === path.join(root, 'cli', 'petstore.ts')) leaveNpm(process.env);
  void import(require('url').pathToFileURL(process.argv[1]).href);
}
