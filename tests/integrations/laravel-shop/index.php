<?php

// A Laravel application with the routes of docs/integrate/examples/laravel.php, on Debian's packages of Laravel 8.
require_once 'Illuminate/autoload.php';
require_once 'GuzzleHttp/autoload.php';

use Illuminate\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Route;

$app = new Application(getcwd());
$app->singleton(HttpKernel::class, get_class(new class ($app, $app['router']) extends Kernel {
    protected $bootstrappers = [];
}));
$app->singleton(ExceptionHandler::class, Handler::class);
$app->instance('config', new Illuminate\Config\Repository([
    'app' => ['url' => getenv('SHOP_URL'), 'env' => 'testing', 'debug' => false, 'locale' => 'en', 'fallback_locale' => 'en'],
    'services' => ['paylink' => [
        'url' => getenv('PAYLINK_URL'),
        'key' => getenv('PAYLINK_KEY'),
        'secret' => getenv('PAYLINK_WEBHOOK_SECRET'),
    ]],
    'database' => [
        'default' => 'sqlite',
        'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => getcwd() . '/shop.sqlite3', 'prefix' => '']],
    ],
    'logging' => ['default' => 'errorlog', 'channels' => ['errorlog' => ['driver' => 'errorlog']]],
    'view' => ['paths' => [], 'compiled' => getcwd()],
]));
Facade::setFacadeApplication($app);
$app->register(Illuminate\Database\DatabaseServiceProvider::class);
$app->register(Illuminate\Filesystem\FilesystemServiceProvider::class);
$app->register(Illuminate\Translation\TranslationServiceProvider::class);
$app->register(Illuminate\View\ViewServiceProvider::class);
$app->boot();

if (PHP_SAPI === 'cli') {
    DB::statement('create table orders (id text primary key, amount text, refid text, state text, seq integer, is_paid boolean)');
    exit;
}
require getenv('ROUTES');
$app[HttpKernel::class]->handle(Request::capture())->send();
